import { texts } from '@settee/protocol/texts/texts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ana } from '../../test/aDesk.ts';
import { storageElsewhere } from '../../test/browser.ts';
import { addMessage, idOf } from '../../test/chats.ts';
import { lost } from '../../test/fakeGateway.ts';
import { addressOf, agedChat, composer, press, queueRow, renderConsole } from '../../test/renderConsole.tsx';
import { anUnsent } from '../../test/unsent.ts';
import { indexedDbUploads } from '../chat/images/upload/indexedDbUploads.ts';
import type { StoredUpload } from '../chat/images/upload/upload.ts';
import { staffStorageKey } from '../chat/outbox/outbox.ts';
import { browserUnsent } from '../chat/outbox/unsentStore.ts';
import { keysSetting, soundSetting } from './account/settings.ts';

test('a person’s menu: availability, sound, keys, theme, by keyboard alone', async () => {
  onTestFinished(() => {
    delete document.documentElement.dataset.theme;
    // The stores of the settings outlive the page.
    for (const setting of [soundSetting, keysSetting]) setting.set(true);
  });
  const { screen, gateway } = await renderConsole();
  const me = (availability: string) =>
    screen.getByRole('button', { name: `You and your settings: ${ana.name}, ${availability}` });
  const menu = screen.getByRole('menu');
  const radio = (name: string) => screen.getByRole('menuitemradio', { name });
  const box = (name: string) => screen.getByRole('menuitemcheckbox', { name });
  await expect.element(me('Online')).toBeVisible();
  (me('Online').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(menu.getByText(/mara-east/)).toBeVisible();
  await expect.element(radio('Online')).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(radio('Away')).toHaveFocus();

  gateway.answer('setAvailability', () => lost);
  await userEvent.keyboard('{Enter}');
  const failed = screen.getByText('Failed to change your availability');
  await expect.poll(() => failed.elements().length).toBe(2);
  await expect.element(radio('Online')).toHaveAttribute('aria-checked', 'true');
  gateway.answer('setAvailability', ({ body }) => ({ away: body.away }));
  await userEvent.keyboard('{Enter}');
  await expect.element(radio('Away')).toHaveAttribute('aria-checked', 'true');
  await expect.poll(() => failed.elements().length).toBe(0);

  for (const name of ['Sound for new messages', 'Single-key shortcuts']) {
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(box(name)).toHaveFocus();
    await expect.element(box(name)).toHaveAttribute('aria-checked', 'true');
    await userEvent.keyboard(' ');
    await expect.element(box(name)).toHaveAttribute('aria-checked', 'false');
  }
  const paper = () => getComputedStyle(document.body).backgroundColor;
  const light = paper();
  (radio('Dark').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(paper).not.toBe(light);
  await userEvent.keyboard('{Escape}');
  await expect.element(menu).not.toBeInTheDocument();
  await expect.element(me('Away')).toHaveFocus();
  expect(localStorage.getItem('theme')).toBe('dark');

  // On a phone the menu is in the header of the queue. After a reload it shows the same settings.
  await screen.unmount();
  await page.viewport(360, 740);
  const phone = (await renderConsole({ away: true })).screen;
  await phone.getByRole('button', { name: `You and your settings: ${ana.name}, Away` }).click();
  await expect
    .element(phone.getByRole('menuitemcheckbox', { name: 'Sound for new messages' }))
    .toHaveAttribute('aria-checked', 'false');
  await phone.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect.element(phone.getByRole('heading', { name: 'Handler Console' })).toBeVisible();
});

test('of two quick choices of availability, the last one counts', async () => {
  const { screen, gateway } = await renderConsole();
  await screen.getByRole('button', { name: `You and your settings: ${ana.name}, Online` }).click();
  gateway.answer('setAvailability', ({ body }) => ({ away: body.away }));
  const release = gateway.hold('setAvailability');
  await screen.getByRole('menuitemradio', { name: 'Away' }).click();
  const online = screen.getByRole('menuitemradio', { name: 'Online' });
  await online.click();
  // Two at once could arrive in the other order.
  const wanted = () => gateway.asked('setAvailability').map(({ body }) => body.away);
  expect(wanted()).toEqual([true]);
  release();
  await expect.poll(wanted).toEqual([true, false]);
  await expect.element(online).toHaveAttribute('aria-checked', 'true');
});

test('[CONSOLE-49] Sign Out asks about drafts and unsent replies, and keeps or removes them', async () => {
  const chats = ['Jonas Weber', 'Léa Moreau'].map((name, at) => agedChat(name, 'Hello', at + 1));
  const { screen, gateway } = await renderConsole({ path: addressOf('Jonas Weber'), chats });
  gateway.onFrame.send = () => [];
  await composer.fill('On its way');
  await press('Enter');
  await expect.poll(() => gateway.received('send')).toHaveLength(1);
  await composer.fill('Half a reply');
  // Written in another window.
  const whose = staffStorageKey(ana.staffId);
  const note = anUnsent(idOf('note'), { conversationId: idOf('Léa Moreau'), state: 'draft', note: true });
  storageElsewhere().setItem(`unsent_${whose}_${note.id}_${note.conversationId}`, JSON.stringify(note));
  const colleague = browserUnsent(staffStorageKey('colleague'));
  for (const state of ['draft', 'queued'] as const) await colleague.put(anUnsent(state, { state }));
  const signOut = screen.getByRole('button', { name: 'Sign Out' }).first();
  const dialog = screen.getByRole('dialog');
  await signOut.click();
  await expect.element(dialog.getByText('2 drafts · 1 unsent reply')).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: 'Stay' })).toHaveFocus();
  await press('Enter');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(composer).toHaveValue('Half a reply');
  expect(gateway.asked('signOutStaff')).toEqual([]);

  const leave = () => dialog.getByRole('button', { name: 'Sign Out' }).click();
  async function enter(): Promise<void> {
    await screen.getByLabelText('Email address').fill('ana@settee.example');
    await screen.getByLabelText('Password').fill('a long password');
    await press('Enter');
  }
  await signOut.click();
  await leave();
  await enter();
  await expect.element(composer).toHaveValue('Half a reply');
  await expect
    .poll(() => gateway.received('send').map(({ text }) => text))
    .toEqual(['On its way', 'On its way']);

  const images = indexedDbUploads(whose);
  const image = { id: idOf('image'), conversationId: idOf('Léa Moreau') } as StoredUpload;
  await images.put(image);
  await signOut.click();
  await expect.element(dialog.getByText('2 drafts · 2 unsent replies')).toBeVisible();
  await dialog.getByRole('checkbox').click();
  await leave();
  await expect.element(screen.getByLabelText('Password')).toBeVisible();
  expect(await browserUnsent(whose).listAll()).toEqual([]);
  images.release(image.id);
  expect(await images.take(image.conversationId)).toEqual([]);
  await enter();
  await expect.element(composer).toHaveValue('');
  expect(Object.keys(localStorage).filter((key) => key.startsWith('unsent_'))).toEqual([
    'unsent_owner-colleague_draft_here',
  ]);
  // Ana's page did not send it either.
  expect(await colleague.listAll()).toMatchObject([{ id: 'queued', state: 'queued' }]);
});

test('another window of the same person changes the availability shown here', async () => {
  const { screen, gateway } = await renderConsole();
  await expect.element(screen.getByRole('button', { name: /Ana Kovač, Online$/ })).toBeVisible();
  gateway.push({ type: 'availability', away: true });
  await expect.element(screen.getByRole('button', { name: /Ana Kovač, Away$/ })).toBeVisible();
});

test('[LANG-06] a language that could not be saved says so, and nothing changes', async () => {
  const { screen, gateway } = await renderConsole();
  gateway.answer('saveLanguage', () => lost);
  await screen.getByRole('button', { name: /^You and your settings/ }).click();
  await screen.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await expect.element(screen.getByText(texts.networkError)).toBeVisible();
  await expect
    .element(screen.getByRole('menuitemradio', { name: 'English' }))
    .toHaveAttribute('aria-checked', 'true');
});

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
  onTestFinished(() => soundSetting.set(true));
  // In another window.
  storageElsewhere().setItem('sound', 'off');
  await expect.poll(soundSetting.get).toBe(false);
  write('without a sound');
  await expect.poll(adasText).toContain('without a sound');
  expect(sounds).not.toHaveBeenCalled();
  soundSetting.set(true);
  write('with a sound');
  await expect.poll(adasText).toContain('with a sound');
  expect(sounds).toHaveBeenCalledOnce();
});

test('while the console is offline, neither the handler nor a visitor shows as online', async () => {
  const jonas = agedChat('Jonas Weber', 'Hello', 1);
  const { screen, gateway } = await renderConsole({ chats: [jonas] });
  const me = (state: string) => screen.getByRole('button', { name: new RegExp(`Ana Kovač, ${state}$`) });
  await expect.element(me('Online')).toBeVisible();
  gateway.push({ type: 'visitors', here: [jonas.conversation.id], left: [] });
  await expect.element(screen.getByText('(online)')).toBeInTheDocument();
  gateway.drop();
  // The browser reports it, so the page does not wait.
  dispatchEvent(new Event('offline'));
  await expect.element(me('Not connected')).toBeVisible();
  await expect.element(screen.getByText('(online)')).not.toBeInTheDocument();
});
