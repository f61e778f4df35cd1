import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import type { OwnProfile } from '@settee/protocol/model/profile';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { createHandler } from '../product/accounts.ts';
import { inDatabase, type Left, makeConversations, makeThread } from '../product/database.ts';
import { holdLine } from '../product/network.ts';
import { PALETTE, palette } from '../product/pages.ts';
import { signIn } from '../product/people.ts';
import { conversation, shows, states } from './stage.ts';

type Line = Left & { at: string };

/** A face that can be told apart at 20 px. */
function face(back: string, hair: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="${back}"/>
    <path d="M9 40V19a11 11 0 0 1 22 0v21z" fill="${hair}"/><circle cx="20" cy="20" r="8" fill="#f6d9c4"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

const faces: Record<string, string> = {
  'Mara Lindqvist': face('#e8a598', '#2b1720'),
  'Teo Castellan': face('#7fa8c4', '#16303f'),
  'Ilse Brandt': face('#eec26a', '#8a5a12'),
  'Amira Haddad': face('#8fb58d', '#1f2a1c'),
  'Kit Okafor': face('#b8a5e0', '#2f2450'),
};

/** The desks of each profile. */
const two = { 'Mara Lindqvist': ['East', 'Press', 'Tour'], 'Teo Castellan': ['Fans'] };
const twelve = {
  ...two,
  'Amira Haddad': ['Practice'],
  'Ilse Brandt': ['Kitchen'],
  'Jo Perrin': ['Fans'],
  'Kit Okafor': ['Fans', 'Presse- und Öffentlichkeitsarbeit im Festspielhaus'],
  'Lena Voss': ['Press'],
  'Nova Lindgren': ['Fans'],
  'Praxis am Ring': ['Empfang'],
  'Radio Norrsken': ['Listeners'],
  'Festspielhaus am Großen Wannsee': ['Front desk'],
  'سارة المنصوري': ['القرّاء'],
};

const lines: Line[] = [
  { at: 'Mara Lindqvist East', name: 'Rosa Delgado', text: 'Do you have a newsletter?', minutesAgo: 1 },
  { at: 'Teo Castellan Fans', name: 'Milo Rossi', text: 'Which pen do you use?', minutesAgo: 2, unread: 2 },
  {
    ...{ at: 'Mara Lindqvist Press', name: 'Adaeze Obi', text: 'I booked the train for the 21st.' },
    ...{ minutesAgo: 13, waitingMinutes: 13, unread: 2 },
  },
  { at: 'Teo Castellan Fans', name: 'Yara Nasser', text: 'Will he sign my copy?', minutesAgo: 20 },
  {
    ...{ at: 'Mara Lindqvist East', name: 'Kenji Nakamura', text: 'Is the lighthouse a real one?' },
    ...{ minutesAgo: 31, waitingMinutes: 31, unread: 1 },
  },
  { at: 'Mara Lindqvist Tour', name: 'سارة المنصوري', text: 'شكرا', minutesAgo: 41 },
];

const closed: Line[] = [
  { at: 'Teo Castellan Fans', name: 'Ewa Nowak', text: 'Until next time!', minutesAgo: 90, status: 'closed' },
];

/** The installation of the tests has one profile: the page learns of the others from a changed frame. */
async function open(page: Page, of: Record<string, string[]>, path = '/handler'): Promise<string> {
  const handler = createHandler();
  const desks = Object.entries(of).flatMap(([profile, own], n) =>
    own.map((name, place) => ({ profile, name, alias: `${handler.alias}-${n}-${place}`.slice(-32) })),
  );
  await inDatabase(
    `with made as (insert into handlers (alias, name) select * from unnest($1::text[], $2::text[]) returning alias),
       gone as (delete from desk_staff d using staff s where s.id = d.staff_id and s.alias = $3)
     insert into desk_staff (alias, staff_id, off) select made.alias, s.id, made.alias = $4 from made, staff s
     where s.alias = $3`,
    [desks.map(({ alias }) => alias), desks.map(({ name }) => name), handler.alias, desks[2]?.alias],
  );
  const aliasOf = (at: string) => desks.find(({ profile, name }) => `${profile} ${name}` === at)?.alias ?? '';
  await inDatabase('update staff set alias = $2 where alias = $1', [handler.alias, desks[0]?.alias]);
  for (const { at, ...left } of [...lines, ...closed]) await makeConversations(aliasOf(at), [left]);
  const profiles = Object.keys(of).map(
    (displayName, n): OwnProfile => ({
      ...{ slug: `profile-${n}`, displayName, avatarUrl: faces[displayName] ?? null, verified: true },
      ...{ waitingMinutes: 5, waitingLongMinutes: 15 },
      desks: desks.filter(({ profile }) => profile === displayName).map(({ alias }) => alias),
    }),
  );
  const line = await holdLine(page);
  line.onDown = (frame) => {
    const known = JSON.parse(frame) as { type: string };
    return known.type === 'welcome' ? JSON.stringify({ ...known, profiles }) : frame;
  };
  const id = await makeThread(aliasOf('Mara Lindqvist East'), 'Jonas Weber', conversation(), 1);
  await signIn(page, handler);
  await page.goto(path.replace(':chat', id));
  await shows(page, 'Rosa Delgado');
  // The socket has told the profiles, and the queues.
  await expect(page.getByRole('navigation').getByText(/^\d$/).first()).toBeVisible();
  return id;
}

async function openPanel(page: Page): Promise<void> {
  await open(page, twelve, '/handler?profile=profile-0');
  await page.keyboard.press('ControlOrMeta+j');
  await expect(page.getByRole('dialog')).toBeVisible();
}

/** What a person sees who answers for several profiles. */
export const consoleProfileStates = states({
  'console-profiles': async ({ page }) => {
    await open(page, two);
  },
  'console-profiles-chat': async ({ page }) => {
    await open(page, two, '/handler/conversation/:chat');
    await shows(page, consoleTexts.aboutMedian);
  },
  'console-profiles-one': async ({ page }) => {
    await open(page, two, '/handler?profile=profile-0');
    await shows(page, fillText(consoleTexts.queueHandler, { alias: 'Mara Lindqvist' }));
  },
  'console-profiles-closed': async ({ page }) => {
    await open(page, two);
    await page.getByRole('button', { name: consoleTexts.filterClosed }).click();
    await shows(page, 'Ewa Nowak');
  },
  'console-profiles-panel': async ({ page }) => {
    await openPanel(page);
  },
  'console-profiles-panel-found': async ({ page }) => {
    await openPanel(page);
    await page.getByPlaceholder(consoleTexts.switcherFind).fill('press');
    await shows(page, 'Lena Voss');
  },
  'console-profiles-palette': async ({ page }) => {
    await open(page, two);
    await page.keyboard.press(PALETTE);
    await palette(page).fill('m');
    await shows(page, fillText(consoleTexts.onlyDesk, { desk: 'Mara Lindqvist' }));
  },
  'console-profiles-account': {
    async reach({ page }) {
      await open(page, two);
    },
    async again(page) {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: new RegExp(consoleTexts.me) }).click();
      await expect(page.getByRole('menu')).toBeVisible();
    },
  },
  'console-profiles-held': async ({ page }) => {
    await open(page, two, '/handler/conversation/:chat');
    await page.getByPlaceholder(consoleTexts.staffPlaceholder).fill('Teo Castellan reads it aloud in May.');
    await page.keyboard.press('Enter');
    await shows(page, consoleTexts.sendAnyway);
    await page.getByPlaceholder(consoleTexts.staffPlaceholder).fill('And');
  },
  'console-profiles-replies-form': async ({ page }) => {
    await open(page, two);
    await page.getByRole('navigation').getByRole('button', { name: consoleTexts.savedReplies }).click();
    await page.getByRole('button', { name: consoleTexts.newReply }).click();
    await page.getByLabel(consoleTexts.replyProfile).selectOption('Teo Castellan');
  },
});
