import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { agedChat, composer, queueRow } from '../../../test/byKeyboard.ts';
import { addMessage } from '../../../test/fakeChats.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';
import { soundSetting } from '../account/settings.ts';

/** Records the badges (0 clears it), and the sounds: an audio context is resumed before each. */
function recordAlerts() {
  const badges: number[] = [];
  const sounds = vi.spyOn(AudioContext.prototype, 'resume');
  const set = vi.spyOn(Navigator.prototype, 'setAppBadge').mockImplementation(async (count) => {
    badges.push(count ?? -1);
  });
  const clear = vi.spyOn(Navigator.prototype, 'clearAppBadge').mockImplementation(async () => {
    badges.push(0);
  });
  onTestFinished(() => {
    for (const spy of [sounds, set, clear]) spy.mockRestore();
  });
  return { badges, sounds };
}

function someChats() {
  const sara = agedChat('Sara', 'Thank you', 41, { seen: true });
  sara.row.markedUnread = true;
  return {
    sara,
    tomas: agedChat('Tomás', 'Bye', 60, { seen: true }),
    ada: agedChat('Ada', 'Hi', 70, { seen: true }),
  };
}

async function openDesk() {
  const recorded = recordAlerts();
  const { sara, tomas, ada } = someChats();
  const { gateway } = await renderConsole({ chats: [sara, tomas, ada] });
  await expect.poll(() => document.title).toMatch(/^\(1\) .+ · Console$/);
  /** Ada writes: the conversation and the queue get the news. */
  function write(...texts: string[]): void {
    for (const text of texts) {
      const message = addMessage(ada, text);
      gateway.push({ type: 'message', message });
      Object.assign(ada.row, { lastMessage: text, lastMessageAt: message.createdAt, head: message.seq });
    }
    ada.row.unread = ada.conversation.head - ada.conversation.ownerSeen;
    gateway.push({ type: 'queueChange', rows: [{ ...ada.row }], gone: [] });
  }
  return { ...recorded, ada, gateway, write };
}

const adasText = () => page.getByRole('listitem').filter({ hasText: 'Ada' }).query()?.textContent;

test('[R-06] title, badge and one soft sound report visitors’ messages, and end with the session', async () => {
  const { badges, sounds, write } = await openDesk();
  await queueRow('Tomás').click();
  await expect.element(composer).toBeVisible();
  // Two messages at once count as two and make one sound. The title counts conversations.
  write('one', 'two');
  await expect.poll(adasText).toContain('2 unread');
  await expect.poll(() => document.title).toMatch(/^\(2\) /);
  expect(badges).toEqual([1, 2]);
  expect(sounds).toHaveBeenCalledOnce();

  await page.getByRole('button', { name: 'Sign Out' }).first().click();
  await expect.element(page.getByRole('heading', { name: 'Handler Console' })).toBeVisible();
  await expect.poll(() => document.title).toMatch(/^[^(].* · Console$/);
  expect(badges.at(-1)).toBe(0);
});

test('there is no sound for the visible conversation, and none when sound is off', async () => {
  const { sounds, write } = await openDesk();
  await queueRow('Ada').click();
  await expect.element(composer).toHaveFocus();
  write('visible');
  await expect.element(page.getByRole('log').getByText('visible')).toBeVisible();
  expect(sounds).not.toHaveBeenCalled();
  await page.getByRole('button', { name: 'Back to Queue' }).click();
  await expect.element(composer).not.toBeInTheDocument();
  soundSetting.set(false);
  onTestFinished(() => soundSetting.set(true));
  write('without a sound');
  await expect.poll(adasText).toContain('without a sound');
  expect(sounds).not.toHaveBeenCalled();
  soundSetting.set(true);
  write('with a sound');
  await expect.poll(adasText).toContain('with a sound');
  expect(sounds).toHaveBeenCalledOnce();
});
