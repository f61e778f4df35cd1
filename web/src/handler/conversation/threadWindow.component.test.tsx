import { texts } from '@settee/protocol/texts/texts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { aChat, type DeskChat } from '../../../test/aDesk.ts';
import { addressOf, composer, focus, follow, press, typeText } from '../../../test/byKeyboard.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';

const log = page.getByRole('log');
const bubble = (seq: number) => expect.poll(() => document.querySelector(`[data-seq="${seq}"]`));
const pxFromEnd = () => {
  const { scrollHeight, scrollTop, clientHeight } = log.element();
  return scrollHeight - scrollTop - clientHeight;
};

/** Message n starts with `No. n.`; lengths vary. Two of five are from the desk, until the unseen ones at the end. */
function longChat(name: string, count: number, unseen = 0): DeskChat {
  const lines = Array.from({ length: count }, (_, index) => {
    const seq = index + 1;
    const sender = seq % 5 < 2 && seq <= count - unseen ? ('owner' as const) : ('visitor' as const);
    return { sender, text: `No. ${seq}.${' And so the evening went on.'.repeat(seq % 7)}` };
  });
  return aChat(name, lines, { conversation: { ownerSeen: count - unseen, unread: unseen } });
}

test('a link opens a message in the middle of the list, at any distance and repeatedly', async () => {
  const chat = longChat('Guest', 1_000, 400);
  const address = addressOf('Guest');
  const { gateway } = await renderConsole({ path: `${address}?message=500`, chats: [chat] });
  await bubble(500).toHaveFocus();
  const middle = (element: Element | null) => {
    const { top = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
    return top + height / 2;
  };
  await expect
    .poll(() => Math.abs(middle(document.querySelector('[data-seq="500"]')) - middle(log.element())))
    .toBeLessThan(2);
  expect(gateway.asked('readMessages')).toHaveLength(2);
  // Messages from 601 on are new and have not been visible.
  expect(chat.conversation.ownerSeen).toBe(600);

  follow(`${address}?message=20`);
  await bubble(20).toHaveFocus();
  await bubble(20).toBeInViewport();
  follow(`${address}?message=none`);
  await bubble(20).toBeInViewport();

  // The pill and sending a message jump to the end at once. The focus was in the list and stays there.
  const pill = page.getByRole('button', { name: /new messages/ });
  await expect.element(pill).toBeVisible();
  (pill.element() as HTMLElement).click();
  await bubble(1_000).toBeInViewport();
  await expect.element(log).toHaveFocus();
  await expect.poll(pxFromEnd).toBeLessThan(1);
  await expect.poll(() => chat.conversation.ownerSeen).toBe(1_000);
  follow(`${address}?message=200`);
  await bubble(200).toHaveFocus();
  await expect.element(page.getByRole('button', { name: texts.toNewest })).toBeVisible();
  await composer.fill('Here I am.');
  await press('Enter');
  await expect.element(log.getByText('Here I am.')).toBeInViewport();
  await expect.poll(pxFromEnd).toBeLessThan(1);
  await expect.element(log.getByText('Sent')).toBeVisible();
});

test('a link to an unknown message opens the conversation at the first new message', async () => {
  const chats = [longChat('Guest', 1_000, 400)];
  await renderConsole({ path: `${addressOf('Guest')}?message=5000000`, chats });
  await expect.element(log.getByText('New', { exact: true })).toBeInViewport();
  await bubble(601).toBeInViewport();
});

test('a message that loads slowly does not take the focus from someone who started to write', async () => {
  const address = addressOf('Guest');
  const { gateway } = await renderConsole({ path: address, chats: [longChat('Guest', 300)] });
  await bubble(300).toBeInViewport();
  const release = gateway.hold('readMessages');
  follow(`${address}?message=20`);
  await expect.poll(() => gateway.asked('readMessages').length).toBeGreaterThan(0);
  await focus(log);
  await typeText('Just ');
  release();
  await bubble(20).toBeInViewport();
  await typeText('rejoice');
  await expect.element(composer).toHaveValue('Just rejoice');
});
