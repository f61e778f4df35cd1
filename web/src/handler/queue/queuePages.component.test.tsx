import { QUEUE_PAGE } from '@settee/protocol/model/queue';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { aChat, type DeskChat } from '../../../test/aDesk.ts';
import { addressOf, renderConsole } from '../../../test/renderConsole.tsx';

const MINUTE = 60_000;
const SIZE = 3 * QUEUE_PAGE - 50;

/** All names have one length, so that none is the beginning of another. */
const visitor = (n: number) => `Visitor ${String(n).padStart(3, '0')}`;

/** Newest first, a minute apart. Each fifth is unread. The last three wait, the very last for the longest time. */
function aLongQueue(): DeskChat[] {
  return Array.from({ length: SIZE }, (_, n) => {
    const lastMessageAt = Date.now() - n * MINUTE;
    return aChat(visitor(n + 1), ['Hello'], {
      conversation: { lastMessageAt },
      row: {
        lastMessageAt,
        unread: n % 5 === 0 ? 1 : 0,
        waitingSince: n >= SIZE - 3 ? lastMessageAt : null,
      },
    });
  });
}

const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
const link = (name: string) => page.getByRole('link', { name: new RegExp(`^${name}\\b`) });

const pill = (name: RegExp) =>
  page.getByRole('group', { name: 'Filter conversations' }).getByRole('button', { name });

/** The scrolling element. */
function list(): HTMLElement {
  const found = document.querySelector('ul')?.parentElement;
  if (!found) throw new Error('no list');
  return found;
}

async function openDesk(options: Parameters<typeof renderConsole>[0] = {}) {
  const chats = aLongQueue();
  const { gateway } = await renderConsole({ chats, ...options });
  await expect.element(page.getByRole('heading', { name: `My Queue (${SIZE})` })).toBeVisible();
  return { chats, gateway, pagesRead: () => gateway.received('queuePage').length };
}

test('[QUEUE-29] a long queue is read in pages while it is scrolled; its counts and scroll bar are right at once', async () => {
  const { pagesRead } = await openDesk();
  await expect.element(row(visitor(1))).toHaveAttribute('aria-setsize', String(SIZE));
  await expect.element(pill(/^Unread/)).toHaveTextContent(`Unread ${SIZE / 5}`);
  await expect.element(page.getByRole('button', { name: /^3 waiting/ })).toBeVisible();
  expect(list().scrollHeight).toBeGreaterThan(SIZE * 70);
  expect(pagesRead()).toBe(0);

  list().scrollTo(0, 150 * 72);
  await expect.poll(pagesRead).toBe(1);
  list().scrollTo(0, list().scrollHeight);
  await expect.element(row(visitor(SIZE))).toHaveAttribute('aria-posinset', String(SIZE));
  expect(pagesRead()).toBe(2);
});

test('[QUEUE-29] Select all selects the whole queue', async () => {
  await openDesk();
  await page.getByRole('button', { name: 'Select chats' }).click();
  await page.getByRole('button', { name: 'Select all' }).click();
  await expect.element(page.getByText(`${SIZE} selected`)).toBeVisible();
});

test('[QUEUE-29] a chat that is far down is in the list when its address is opened', async () => {
  const chats = aLongQueue();
  const last = chats.at(-1) as DeskChat;
  const { gateway } = await renderConsole({ chats, path: addressOf(visitor(SIZE)) });
  gateway.push({ type: 'queueChange', rows: [last.row], gone: [] });
  await expect.element(link(visitor(SIZE))).toBeInViewport();
  await expect.element(row(visitor(SIZE))).toHaveAttribute('aria-posinset', String(SIZE));
});

test('[QUEUE-29] rows that are read later are no news; a message from behind the end is', async () => {
  const sounds = vi.spyOn(AudioContext.prototype, 'resume');
  const { chats, gateway, pagesRead } = await openDesk();
  // Browsers play no sound before the first click.
  await pill(/^All/).click();
  list().scrollTo(0, 150 * 72);
  await expect.poll(pagesRead).toBe(1);
  const last = chats.at(-1) as DeskChat;
  gateway.push({ type: 'queueChange', rows: [{ ...last.row, unread: 1, rev: 9 }], gone: [] });
  expect(sounds).not.toHaveBeenCalled();
  list().scrollTo(0, 0);
  const written = { ...last.row, unread: 2, head: 2, lastMessageAt: Date.now(), lastMessage: 'News' };
  gateway.push({ type: 'queueChange', rows: [written], gone: [] });
  await expect.element(row('News')).toHaveAttribute('aria-posinset', '1');
  expect(sounds).toHaveBeenCalledOnce();
  sounds.mockRestore();
});

test('[QUEUE-29] a reconnect changes neither the scroll position nor the rows that were read', async () => {
  const { chats, gateway } = await openDesk();
  list().scrollTo(0, list().scrollHeight);
  await expect.element(row(visitor(SIZE))).toBeInViewport();
  const top = list().scrollTop;
  gateway.drop();
  const [closed] = chats.splice(SIZE - 10, 1);
  gateway.restore();
  await expect.element(page.getByRole('heading', { name: `My Queue (${SIZE - 1})` })).toBeVisible();
  await expect.element(row(visitor(SIZE))).toHaveAttribute('aria-posinset', String(SIZE - 1));
  await expect.element(row(closed?.row.visitorName ?? '')).not.toBeInTheDocument();
  await expect.poll(() => Math.abs(list().scrollTop - top)).toBeLessThanOrEqual(72);
});
