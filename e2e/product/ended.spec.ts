import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { endConversation, reopenConversation, storedTexts } from './database.ts';
import { holdLine } from './network.ts';
import { bubbles, chatOfTwo, expectTexts, newPerson, send, startChat } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

/** The page's text that the visitor can read. */
const seen = (page: Page) => page.locator('#app').innerText();

test(
  '[MSG-22] [MSG-21] closed within the window keeps the composer; closed later and blocked show the same text',
  alsoInFirefox,
  async ({ browser }) => {
    const closed = await chatOfTwo(browser, 'Anna');
    const { page: blocked } = await newPerson(browser);
    // At the same desk, so that both headers show the same.
    const blockedInvite = createInvite(closed.handler.alias);
    await startChat(blocked, blockedInvite, 'Berta');
    for (const visitor of [closed.visitor, blocked]) {
      await send(visitor, 'goodbye');
      await expect(visitor.getByText(/^(Sent|Seen)/)).toBeVisible();
    }
    await expect(bubbles(closed.desk)).toHaveCount(1);
    await closed.desk.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(
      closed.visitor.getByText('This conversation was closed. Sending a message reopens it.'),
    ).toBeVisible();
    await expect(closed.visitor.getByPlaceholder('Message...')).toBeVisible();
    await send(closed.visitor, 'one more thing');
    await expect(closed.visitor.getByText('This conversation was closed.')).toHaveCount(0);
    await expect(closed.desk.getByRole('link', { name: /Anna/ })).toContainText('one more thing');
    await send(blocked, 'one more thing');
    await expect(blocked.getByText(/^(Sent|Seen)/)).toBeVisible();

    await endConversation(closed.invite, 'closed', 365);
    await endConversation(blockedInvite, 'blocked', 0);
    for (const visitor of [closed.visitor, blocked]) {
      await visitor.reload();
      await expect(visitor.getByText('This conversation is closed')).toBeVisible();
      await expect(visitor.getByText('You can still read it here on this device.')).toBeVisible();
      await expect(visitor.getByPlaceholder('Message...')).toHaveCount(0);
      await expectTexts(visitor, ['goodbye', 'one more thing']);
    }
    // Ignores whether the handler has seen the last message.
    const timeless = async (page: Page) => (await seen(page)).replace(/(?:Seen )?\d\d:\d\d|Sent/g, '');
    // A page that connected slowly says so for a moment.
    await expect(async () => expect(await timeless(closed.visitor)).toBe(await timeless(blocked))).toPass();
  },
);

test(
  "[MSG-16] [E-11] a message that cannot be sent stays with 'Not sent. Try again', and goes when retried",
  alsoInFirefox,
  async ({ page: visitor }) => {
    const invite = createInvite(createHandler().alias);
    await startChat(visitor, invite, 'Ben');
    await send(visitor, 'arrives');
    await expect(visitor.getByText(/^(Sent|Seen)/)).toBeVisible();
    // The conversation ends between the page's last update and the send.
    const line = await holdLine(visitor);
    line.onDown = (frame) => (frame.includes('"type":"conversation"') ? undefined : frame);
    await visitor.reload();
    await expectTexts(visitor, ['arrives']);
    await endConversation(invite, 'blocked', 0);
    await send(visitor, 'does not');
    await expect(visitor.getByText('Not sent.')).toBeVisible();
    await expectTexts(visitor, ['arrives', 'does not']);
    line.onDown = (frame) => frame;
    await reopenConversation(invite);
    // The message could be sent now, but the visitor has not asked for it. The next message does not send it either.
    await visitor.reload();
    await expectTexts(visitor, ['arrives', 'does not']);
    await expect(visitor.getByText('Not sent.')).toBeVisible();
    await send(visitor, 'later');
    await expect.poll(() => storedTexts(invite)).toEqual(['arrives', 'later']);
    await expect(visitor.getByText('Not sent.')).toBeVisible();
    await visitor.getByRole('button', { name: 'Try again' }).click();
    await expect(visitor.getByText('Not sent.')).toHaveCount(0);
    await expectTexts(visitor, ['arrives', 'later', 'does not']);
    await expect.poll(() => storedTexts(invite)).toEqual(['arrives', 'later', 'does not']);

    // Text that can no longer be sent can be dismissed permanently.
    line.onDown = (frame) => (frame.includes('"type":"conversation"') ? undefined : frame);
    await endConversation(invite, 'blocked', 0);
    await send(visitor, 'never mind');
    await visitor.getByRole('button', { name: 'Dismiss' }).click();
    await expectTexts(visitor, ['arrives', 'later', 'does not']);
    await visitor.reload();
    await expectTexts(visitor, ['arrives', 'later', 'does not']);
  },
);
