import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { defaultBrand } from '@settee/protocol/model/brand';
import { MAIN, type ManagedProfile } from '@settee/protocol/model/profile';
import { defaultSettings } from '@settee/protocol/model/staffSettings';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts } from '@settee/protocol/texts/inviteAdminTexts';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { createHandler } from '../product/accounts.ts';
import { enterAdmin } from '../product/admins.ts';
import { makeThread } from '../product/database.ts';
import { answer, conversation, shows, states } from './stage.ts';

const NOW = Date.now();
const MINUTE_MS = 60_000;

/** A face that can be told apart at 20 px. */
function face(back: string, hair: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="${back}"/>
    <path d="M9 40V19a11 11 0 0 1 22 0v21z" fill="${hair}"/><circle cx="20" cy="20" r="8" fill="#f6d9c4"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

type Desk = ManagedProfile['desks'][number];

function profile(
  displayName: string,
  { waits, archivedAt = null, ...more }: Partial<ManagedProfile> & { waits?: number },
  desks: Record<string, string[]>,
): ManagedProfile {
  const waitingSince = waits === undefined ? null : NOW - waits * MINUTE_MS;
  const slug = more.slug ?? displayName.toLowerCase().replaceAll(' ', '-');
  return {
    ...{
      slug,
      displayName,
      avatarUrl: null,
      verified: false,
      archivedAt,
      online: true,
      open: 3,
      waitingSince,
    },
    desks: Object.entries(desks).map(
      ([name, onDuty], n): Desk => ({
        ...{
          alias: `${slug}-${n}`,
          name,
          people: onDuty,
          onDuty,
          online: onDuty.length > 0,
          open: 1,
          waitingSince,
        },
      }),
    ),
    ...more,
  };
}

const verified = true;
const profiles: ManagedProfile[] = [
  profile(
    'Mara Lindqvist',
    { slug: MAIN, verified, avatarUrl: face('#e8a598', '#2b1720'), open: 27, waits: 91 },
    {
      'Mara East': ['Elin Sandberg', 'Nils Aalto'],
      'Mara Press': ['Paula Grimm'],
      'Mara Tour': ['Theo Marchand'],
    },
  ),
  profile('Amira Haddad', { verified, avatarUrl: face('#8fb58d', '#1f2a1c'), open: 1 }, { Practice: [] }),
  profile('Ilse Brandt', { verified, avatarUrl: face('#eec26a', '#8a5a12') }, { Kitchen: ['Paula Grimm'] }),
  profile('Kit Okafor', { avatarUrl: face('#b8a5e0', '#2f2450') }, { 'Kit Fans': ['Robin Demo'] }),
  profile('Radio Norrsken', { waits: 6 }, { Listeners: ['Theo Marchand', 'Elin Sandberg'] }),
  profile('Studio Halde', {}, { 'Front Desk': ['Theo Marchand'] }),
  profile(
    'Teo Castellan',
    { verified, avatarUrl: face('#7fa8c4', '#16303f'), waits: 13 },
    { 'Teo Fans': ['Robin Demo'], 'Teo Press': ['Robin Demo'] },
  ),
  profile('Winter Festival 2024', { archivedAt: NOW - 1e9, open: 0 }, { Festival: [] }),
];

/** The installation of the tests has one profile, with thousands of desks. */
async function openSeveral(page: Page, path: string): Promise<void> {
  const desks = profiles.flatMap((each) => each.desks.map((desk) => ({ ...desk, slug: each.slug })));
  const byAlias = (value: (desk: (typeof desks)[number]) => string | null) =>
    Object.fromEntries(desks.map((desk) => [desk.alias, value(desk)]));
  await answer(page, '**/manage/profiles', { profiles });
  await answer(page, '**/manage/profile?*', {
    brand: {
      ...defaultBrand,
      displayName: 'Teo Castellan',
      verified,
      avatarUrl: profiles.at(-2)?.avatarUrl,
      greeting: 'Hello! Ask me anything about the book.',
    },
    settings: { ...defaultSettings, reopenDays: 7, keepDays: null },
  });
  await answer(page, '**/manage/desks/hours', {
    desks: desks.map(({ alias, people }) => ({ alias, people, hours: null })),
  });
  await answer(page, '**/manage/desks/left', { desks: [] });
  await answer(page, '**/desks', {
    desks: desks.map(({ alias, people, online }) => ({ alias, people, online })),
    names: byAlias(({ name }) => name),
    profiles: byAlias(({ slug }) => slug),
  });
  await answer(page, '**/manage/staff?*', { people, next: null });
  await enterAdmin(page, { path });
}

const aliasOf = (name: string) =>
  profiles.flatMap(({ desks }) => desks).find((desk) => desk.name === name)?.alias ?? '';

function person(name: string, desks: string[], more: object = {}) {
  const aliases = desks.map(aliasOf);
  return {
    id: randomUUID(),
    name,
    email: `${name.split(' ')[0]?.toLowerCase()}@settee.example`,
    role: 'handler',
    alias: aliases[0] ?? null,
    ...(aliases.length > 1 && { desks: aliases }),
    active: true,
    online: true,
    away: false,
    lastSeenAt: NOW,
    open: 3,
    medianFirstReplyMs: 160_000,
    hasFactor: false,
    ...more,
  };
}

const people = [
  person('Ana Kovač', ['Mara East'], { role: 'admin', hasFactor: true }),
  person('Elin Sandberg', ['Mara East', 'Listeners', 'Kit Fans']),
  person('Paula Grimm', ['Mara Press', 'Kitchen'], { online: false, lastSeenAt: NOW - 3_600_000 }),
  person('Robin Demo', ['Teo Fans', 'Teo Press', 'Kit Fans', 'Practice']),
  person('Theo Marchand', ['Mara Tour', 'Front Desk']),
];

const aRow = {
  visitorId: randomUUID(),
  visitorName: 'Jonas Weber',
  lastMessageAt: NOW,
  lastMessage: 'Thank you. That is all I wanted to know.',
  lastSender: 'visitor',
  unread: 1,
  head: 14,
  rev: 1,
  waitingSince: null,
  markedUnread: false,
  lastAuthor: null,
  snoozedUntil: null,
  noAccess: null,
  status: 'open',
  closedAt: null,
};

/** What administrators see with several profiles. */
export const profileListStates = states({
  'admin-profiles': async ({ page }) => {
    await openSeveral(page, '/admin/profiles');
    await shows(page, 'Teo Castellan');
  },
  'admin-profiles-search': async ({ page }) => {
    await openSeveral(page, '/admin/profiles?q=lighthouse');
    await shows(page, adminTexts.noMatches);
  },
  'admin-profiles-new': async ({ page }) => {
    await openSeveral(page, '/admin/profiles');
    await page.getByRole('button', { name: profileTexts.add }).click();
    await shows(page, profileTexts.addNote);
  },
  'admin-profiles-archive': async ({ page }) => {
    await openSeveral(page, '/admin/profiles');
    await page.getByRole('button', { name: actionsFor('Teo Castellan') }).click();
    await page.getByRole('menuitem', { name: profileTexts.archive }).click();
    await shows(page, profileTexts.archiveNote);
  },
  'admin-profiles-one': async ({ page }) => {
    await openSeveral(page, '/admin/profiles/teo-castellan');
    await shows(page, profileTexts.desks);
    await page.getByLabel(profileTexts.farewell, { exact: true }).fill('Thank you for writing.');
  },
  'admin-scope': {
    async reach({ page }) {
      await openSeveral(page, '/admin/handlers?profile=teo-castellan');
      await openScope(page);
    },
    async again(page) {
      await page.reload();
      await openScope(page);
    },
  },
  'handlers-profiles': async ({ page }) => {
    await openSeveral(page, '/admin/handlers');
    await shows(page, 'Kit Fans');
  },
  'handlers-profiles-desks': async ({ page }) => {
    await openSeveral(page, '/admin/handlers');
    await page.getByRole('button', { name: actionsFor('Robin Demo') }).click();
    await page.getByRole('menuitem', { name: peopleTexts.desks }).click();
    await page.getByLabel(peopleTexts.findProfileOrDesk).fill('kit');
    await shows(page, profileTexts.ofNewDesk);
  },
  'handlers-profiles-add': async ({ page }) => {
    await openSeveral(page, '/admin/handlers/new');
    await page.getByLabel(peopleTexts.desk).selectOption(peopleTexts.newDesk);
    await page.getByLabel(peopleTexts.newDeskName).fill('Night shift');
    await shows(page, profileTexts.ofNewDesk);
  },
  'admin-conversation-profiles': async ({ page }) => {
    const id = await makeThread(createHandler().alias, 'Jonas Weber', conversation());
    const [mara, , , , , , teo] = profiles;
    const row = { ...aRow, conversationId: id, handlerAlias: teo?.desks[0]?.alias };
    await answer(page, '**/manage/conversations?*', {
      rows: [row, { ...row, conversationId: randomUUID(), handlerAlias: mara?.desks[1]?.alias }],
      next: null,
    });
    await answer(page, `**/conversations/${id}/details`, {
      details: {
        inviteLabel: 'Lyon reading',
        startedAt: NOW,
        messages: 14,
        devices: 1,
        medianReplyMs: null,
        profile: teo,
      },
    });
    await openSeveral(page, `/admin/conversations/${id}`);
    await shows(page, fillText(consoleTexts.chatWith, { name: 'Teo Castellan' }));
  },
  'admin-invite-profiles': async ({ page }) => {
    await openSeveral(page, '/admin/invites/new?profile=teo-castellan');
    await expect(page.getByLabel(inviteAdminTexts.desk)).toHaveValue(aliasOf('Teo Fans'));
  },
});

const actionsFor = (name: string) => fillText(peopleTexts.actionsFor, { name });

async function openScope(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: fillText(profileTexts.shown, { profile: 'Teo Castellan' }) })
    .click();
  await expect(page.getByRole('menu')).toBeVisible();
}
