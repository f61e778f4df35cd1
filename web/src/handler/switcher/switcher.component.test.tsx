import type { OwnProfile } from '@settee/protocol/model/profile';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { aChat, type DeskChat } from '../../../test/aDesk.ts';
import { idOf } from '../../../test/chats.ts';
import type { Answers } from '../../../test/fakeGateway.ts';
import {
  addressOf,
  agedChat,
  composer,
  expectAddress,
  focus,
  fromPalette,
  palette,
  press,
  queueRow,
  renderConsole,
  typeText,
} from '../../../test/renderConsole.tsx';

/** The names of profiles and of their desks. */
const work: Record<string, string[]> = {
  'Mara Lindqvist': ['Front Desk', 'Press'],
  'Ben Okri': ['Ben Okri'],
};
const more = { ...work, 'Ana Kovač': ['Fans'], 'Teo Castellan': ['Fans'], 'Ilse Brandt': ['Kitchen'] };

const slugOf = (name: string) => name.toLowerCase().replace('č', 'c').replaceAll(' ', '-');
const aliasOf = (profile: string, desk: string) => `${slugOf(profile)}-${slugOf(desk)}`;

function several(of: Record<string, string[]>, different: Partial<OwnProfile> = {}) {
  const profiles = Object.entries(of).map(
    ([displayName, desks]): OwnProfile => ({
      ...{ slug: slugOf(displayName), displayName, avatarUrl: null, verified: false },
      ...{ waitingMinutes: 5, waitingLongMinutes: 15 },
      ...(displayName === 'Ben Okri' && different),
      desks: desks.map((desk) => aliasOf(displayName, desk)),
    }),
  );
  const desks = profiles.flatMap((each) => each.desks.map((alias) => ({ alias, off: false })));
  const names = Object.entries(of).flatMap(([profile, own]) =>
    own.map((desk) => [aliasOf(profile, desk), desk] as const),
  );
  const answers: Answers = { readDesks: { desks: [], names: Object.fromEntries(names) } };
  return { staff: { alias: desks[0]?.alias ?? null, desks }, profiles, answers };
}

function at(profile: string, desk: string, chat: DeskChat): DeskChat {
  chat.conversation.handlerAlias = aliasOf(profile, desk);
  return chat;
}

const fourChats = () => [
  at('Mara Lindqvist', 'Front Desk', agedChat('Jonas', 'May I read it to them?', 1)),
  at('Ben Okri', 'Ben Okri', agedChat('Adaeze', 'Is the date still on?', 12)),
  at('Mara Lindqvist', 'Press', agedChat('Sara', 'Merci', 20, { seen: true })),
  at('Ben Okri', 'Ben Okri', agedChat('Léa', 'Page 212', 60)),
];

const names = () => [...document.querySelectorAll('li b')].map(({ textContent }) => textContent);
const rail = page.getByRole('navigation');
const panel = page.getByRole('dialog', { name: consoleTexts.switcher });
const find = panel.getByRole('combobox');
const options = () => panel.getByRole('option').elements();
const chosen = panel.getByRole('option', { selected: true });

test('two profiles: the rail has a button for each, and the list names profile and desk', async () => {
  await page.viewport(1_280, 800);
  const { gateway } = await renderConsole({ ...several(work), chats: fourChats() });
  await expect.element(queueRow('Adaeze.*Ben Okri')).toBeVisible();
  await expect.element(queueRow('Sara.*Mara Lindqvist, Press')).toBeVisible();
  const ben = rail.getByRole('button', { name: 'Ben Okri, 2 unread' });
  await ben.click();
  await expectAddress('/handler?profile=ben-okri');
  await expect.element(ben).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(names).toEqual(['Adaeze', 'Léa']);
  await expect.element(page.getByRole('heading', { name: 'My Queue (2)' })).toBeVisible();
  // The rows need not repeat what was chosen.
  await expect.element(queueRow('Adaeze.*Ben Okri')).not.toBeInTheDocument();

  // An administrator renames the profile.
  gateway.push({ type: 'profiles', profiles: several(work, { displayName: 'Ben O.' }).profiles });
  await expect.element(rail.getByRole('button', { name: 'Ben O., 2 unread' })).toBeVisible();
  await rail.getByRole('button', { name: consoleTexts.allMyDesks }).click();
  await expectAddress('/handler');
  await expect.poll(names).toEqual(['Jonas', 'Adaeze', 'Sara', 'Léa']);
});

test('five profiles: one button opens the panel, where keys find a profile or a desk', async () => {
  await page.viewport(1_280, 800);
  await renderConsole({ path: addressOf('Jonas'), ...several(more), chats: fourChats() });
  await focus(composer);
  await press('Control+j');
  await expect.element(find).toHaveFocus();
  await expect.element(chosen).toMatchTextContent(/^All my desks/);
  // Léa has waited longest; nobody else waits, so the others follow by name.
  expect(options().map((option) => option.querySelector('b')?.textContent)).toEqual([
    consoleTexts.allMyDesks,
    'Ben Okri',
    'Ana Kovač',
    'Ilse Brandt',
    'Mara Lindqvist',
    'Teo Castellan',
  ]);
  await expect.element(panel.getByRole('option', { name: /^Ben Okri.*1h.*2 open chats/ })).toBeVisible();
  await press('Escape');
  await expect.element(composer).toHaveFocus();

  await rail.getByRole('button', { name: /^Profiles and desks/ }).click();
  await typeText('press');
  await expect.element(chosen).toMatchTextContent(/^Press/);
  await press('Enter');
  await expect.element(panel).not.toBeInTheDocument();
  await expectAddress(`${addressOf('Jonas')}?desk=mara-lindqvist-press`);
  await expect.poll(names).toEqual(['Sara']);
  await expect.element(page.getByText('Handler: Mara Lindqvist · Press')).toBeVisible();
  // The chosen profile now shows its desks.
  await press('Control+j');
  await expect.element(chosen).toMatchTextContent(/^Press/);
  await press('ArrowUp');
  await press('ArrowUp');
  await press('Enter');
  await expectAddress(`${addressOf('Jonas')}?profile=mara-lindqvist`);
  history.back();
  await expect.poll(names).toEqual(['Sara']);
});

test('on a phone, the line below the title opens the panel', async () => {
  await page.viewport(400, 800);
  await renderConsole({ ...several(work), chats: fourChats() });
  await page.getByRole('button', { name: 'Handler: all desks (3)' }).click();
  await panel.getByRole('option', { name: /^Mara Lindqvist/ }).click();
  await expectAddress('/handler?profile=mara-lindqvist');
  await expect.poll(names).toEqual(['Jonas', 'Sara']);
  await expect.element(queueRow('Sara.*Press')).toBeVisible();
});

test('each profile has its own waiting times, and the strip shows who waits by them', async () => {
  await renderConsole({
    ...several(work, { waitingMinutes: 90, waitingLongMinutes: 120 }),
    chats: [...fourChats(), at('Mara Lindqvist', 'Press', agedChat('Omar', 'Hello', 30))],
  });
  await expect.element(queueRow('Omar.*Waiting 30m')).toBeVisible();
  await expect.element(queueRow('Léa')).not.toMatchTextContent(/Waiting/);
  await expect.element(page.getByRole('button', { name: /^Mara Lindqvist: Omar ?, 30m/ })).toBeVisible();
});

test('in the palette a visitor comes before the profile of the same name', async () => {
  const chats = [...fourChats(), at('Mara Lindqvist', 'Press', agedChat('Ben', 'Hello', 1))];
  await renderConsole({ ...several(work), chats });
  await expect.element(queueRow('^Ben')).toBeVisible();
  await press('Control+k');
  await palette.fill('ben');
  const selected = page.getByRole('option', { selected: true });
  await expect.element(page.getByRole('option', { name: 'Only Ben Okri' })).toBeVisible();
  await expect.element(selected).not.toMatchTextContent(/Only/);
  await press('Escape');
  await fromPalette('only press', 'Only Mara Lindqvist · Press');
  await expectAddress('/handler?desk=mara-lindqvist-press');
});

test('the closed chats of a profile are read for its desks alone, and can be reopened', async () => {
  const [jonas, adaeze] = fourChats() as [DeskChat, DeskChat];
  const closed = ({ row }: DeskChat) => ({ ...row, status: 'closed' as const, closedAt: Date.now() });
  const { answers, ...parts } = several(work);
  const { gateway } = await renderConsole({
    path: '/handler?show=closed&profile=ben-okri',
    ...parts,
    answers: {
      ...answers,
      readClosed: ({ query }) => ({
        rows: query.profile === 'ben-okri' ? [closed(adaeze)] : [closed(jonas)],
        next: null,
      }),
      setStatus: ({ body: { status } }) => ({ conversation: { ...adaeze.conversation, status } }),
    },
    chats: [],
  });
  await expect.poll(names).toEqual(['Adaeze']);
  expect(gateway.asked('readClosed').at(-1)).toMatchObject({ query: { profile: 'ben-okri' } });
  // The row does not cover its button.
  await page.getByRole('button', { name: consoleTexts.reopen }).click();
  await expect.poll(names).toEqual([]);
});

test('a chat says as whom one replies, and offers the saved replies of its profile', async () => {
  await page.viewport(1_280, 800);
  const reply = (text: string, profile?: string) => ({
    ...{ id: idOf(text), shortcut: 'thanks', text, shared: true, editable: true },
    ...(profile && { profile }),
  });
  const { answers, ...parts } = several(work);
  await renderConsole({
    path: addressOf('Adaeze'),
    ...parts,
    answers: {
      ...answers,
      readReplies: {
        replies: [reply('For all'), reply('Of Ben', 'ben-okri'), reply('Of Mara', 'mara-lindqvist')],
      },
    },
    chats: fourChats(),
  });
  await expect.element(page.getByText('Chat with Ben Okri')).toBeVisible();
  await expect.element(page.getByText('Replying as Ben Okri')).toBeVisible();
  await composer.fill('/thanks');
  const offered = page.getByRole('listbox', { name: consoleTexts.savedReplies }).getByRole('option');
  await expect.poll(() => offered.elements().length).toBe(2);
  await press('Enter');
  await expect.element(composer).toHaveValue('Of Ben');
});

test('a reply that names another of the own profiles is held once', async () => {
  const chats = [
    at('Ben Okri', 'Ben Okri', aChat('Adaeze', ['Who are you?'])),
    at('Mara Lindqvist', 'Press', aChat('Sara')),
  ];
  const { gateway } = await renderConsole({ path: addressOf('Adaeze'), ...several(work), chats });
  const held = page.getByText('This text names Mara Lindqvist, another of your profiles.');
  const send = async (text: string) => {
    await composer.fill(text);
    await press('Enter');
  };
  const sent = () => gateway.received('send').map(({ text }) => text);
  await expect.element(page.getByText('Replying as Ben Okri')).toBeVisible();
  await send('Ben Okri here, thank you');
  await expect.poll(sent).toEqual(['Ben Okri here, thank you']);
  await send('As MARA LINDQVIST’s assistant');
  await expect.element(held).toBeVisible();
  await page.getByRole('button', { name: consoleTexts.edit }).click();
  await expect.element(held).not.toBeInTheDocument();
  await send('As Mara Lindqvists assistant');
  await expect.element(held).toBeVisible();
  expect(sent()).toHaveLength(1);
  await page.getByRole('button', { name: consoleTexts.sendAnyway }).click();
  await expect.poll(sent).toEqual(['Ben Okri here, thank you', 'As Mara Lindqvists assistant']);
  await expect.element(held).not.toBeInTheDocument();
});

test('the account menu groups the desks by profile', async () => {
  await page.viewport(1_280, 800);
  const { gateway } = await renderConsole({ ...several(work), chats: fourChats() });
  await page.getByRole('button', { name: /^You and your settings/ }).click();
  const group = page.getByRole('group', { name: 'Mara Lindqvist' });
  await group.getByRole('menuitemcheckbox', { name: 'Press' }).click();
  expect(gateway.asked('setDeskOff')).toMatchObject([{ params: { alias: 'mara-lindqvist-press' } }]);
});
