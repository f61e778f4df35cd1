import { type Written, writeHistory } from './database.ts';
import { bubbles, chatOfTwo, send } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

/** Messages from the handler, one per minute, the last one now. */
const handlerMessages = (what: string, count: number): Written[] =>
  Array.from({ length: count }, (_, i) => ({
    from: 'owner',
    text: `${what} ${i + 1}`,
    at: new Date(Date.now() - (count - i) * 60_000),
  }));

test(
  'after an absence the chat opens at the first unread message, below a line that stays',
  alsoInFirefox,
  async ({ browser }) => {
    const { visitor, desk, invite } = await chatOfTwo(browser, 'Noor');
    await visitor.goto('about:blank');
    // The unread messages fill more than one page of history.
    await writeHistory(invite, [...handlerMessages('old', 120), ...handlerMessages('news', 60)], {
      visitor: 60,
    });
    await visitor.goto(invite);
    const line = visitor.getByText('New', { exact: true });
    for (const text of ['news 1', 'old 120'])
      await expect(visitor.getByText(text, { exact: true })).toBeInViewport();
    await expect(visitor.getByText('news 60', { exact: true })).not.toBeInViewport();
    // Before the next sweep, a reply would be outdated.
    await desk.reload();
    await expect(bubbles(desk).getByText('news 60', { exact: true })).toBeVisible();
    await send(desk, 'one more');
    await expect(bubbles(visitor).getByText('one more')).toBeAttached();
    await expect(line).toBeInViewport();
    await visitor.getByRole('button', { name: /new messages$/ }).click();
    await expect(bubbles(visitor).getByText('one more')).toBeInViewport();
    await expect(line).toHaveCount(1);
    await expect(desk.getByText(/^Seen/)).toBeVisible();
    await visitor.reload();
    await expect(bubbles(visitor).getByText('one more')).toBeInViewport();
    await expect(line).toHaveCount(0);
  },
);
