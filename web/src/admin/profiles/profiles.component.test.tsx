import type { Person } from '@settee/protocol/calls/peopleCalls';
import { MAIN, type ManagedProfile } from '@settee/protocol/model/profile';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { conversationAdminTexts } from '@settee/protocol/texts/conversationAdminTexts';
import { inviteAdminTexts } from '@settee/protocol/texts/inviteAdminTexts';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { aChat } from '../../../test/aDesk.ts';
import { idOf } from '../../../test/chats.ts';
import { type Answers, lost } from '../../../test/fakeGateway.ts';
import { aProfile, renderAdmin } from '../../../test/renderAdmin.tsx';

const mara = aProfile(MAIN, { displayName: 'Mara Lindqvist' });
const ben = aProfile('ben', { displayName: 'Ben Okri', verified: true });
const old = aProfile('old', { displayName: 'Old Festival', archivedAt: 1 });

/** Desks of three profiles. Mara and Ben have one of the same name. */
const several: Answers = {
  listProfiles: { profiles: [mara, ben, old] },
  readDesks: {
    desks: ['ben', 'mara-east', 'old', 'second'].map((alias) => ({ alias, people: ['Ana'], online: true })),
    names: { ben: 'Front Desk', 'mara-east': 'Front Desk', second: 'Second Desk' },
    profiles: { ben: 'ben', old: 'old' },
  },
  readPeople: { people: [], next: null },
};

const robin: Person = {
  id: idOf('Robin'),
  name: 'Robin',
  email: 'robin@example.org',
  role: 'handler',
  alias: 'ben',
  active: true,
  online: true,
  away: false,
  lastSeenAt: null,
  open: 1,
  medianFirstReplyMs: null,
  hasFactor: false,
};

const navigation = { name: adminTexts.navigation };

test('a second profile is added on the page of the only one, and then they are a list', async () => {
  const { screen, gateway } = await renderAdmin({ path: '/admin/profile' });
  await expect.element(screen.getByText(profileTexts.all)).not.toBeInTheDocument();
  gateway.answer('createProfile', () => {
    gateway.answer('listProfiles', { profiles: [mara, ben] });
    return { slug: 'ben', alias: 'ben' };
  });
  const add = screen.getByRole('button', { name: profileTexts.addFirst });
  await add.click();
  const dialog = screen.getByRole('dialog', { name: profileTexts.add });
  await expect.element(dialog.getByLabelText(profileTexts.name)).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(add).toHaveFocus();

  await add.click();
  await userEvent.keyboard('Ben Okri{Tab}Press{Enter}');
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Ben Okri' })).toHaveFocus();
  expect(location.pathname).toBe('/admin/profiles/ben');
  expect(gateway.asked('createProfile')[0]?.body).toEqual({ displayName: 'Ben Okri', deskName: 'Press' });
  const places = screen.getByRole('navigation', navigation);
  await expect
    .element(places.getByRole('link', { name: /^Profiles/ }))
    .toHaveAttribute('aria-current', 'page');
  await expect.element(places.getByRole('link', { name: adminTexts.publicProfile })).not.toBeInTheDocument();
});

test('each profile is saved for itself', async () => {
  const { screen, gateway } = await renderAdmin({ path: '/admin/profiles/ben', answers: several });
  await expect.poll(() => gateway.asked('readProfileSettings').at(-1)?.query).toEqual({ profile: 'ben' });
  await screen.getByLabelText(profileTexts.farewell).fill('Bye');
  gateway.answer('saveProfileSettings', () => lost);
  await screen.getByRole('button', { name: adminTexts.save }).click();
  await expect
    .poll(() => gateway.asked('saveProfileSettings').map(({ query, body }) => ({ ...query, ...body })))
    .toEqual([{ profile: 'ben', farewell: 'Bye' }]);
});

test('a profile that reaches nobody is found, and archiving one says what it means', async () => {
  const silent: ManagedProfile = {
    ...ben,
    desks: ben.desks.map((desk) => ({ ...desk, onDuty: [] })),
  };
  const { screen, gateway } = await renderAdmin({
    path: '/admin/profiles',
    answers: { ...several, listProfiles: { profiles: [mara, silent, old] }, archiveProfile: {} },
  });
  const rows = screen.getByRole('rowheader');
  const names = () => rows.elements().map((row) => row.textContent);
  await expect.poll(() => names().length).toBe(2);
  await screen.getByRole('radio', { name: /^Reaches nobody/ }).click();
  await expect.poll(names).toEqual([expect.stringContaining('Ben Okri')]);
  const menu = screen.getByRole('button', { name: 'Actions for Ben Okri' });
  await menu.click();
  await screen.getByRole('menuitem', { name: profileTexts.archive }).click();
  await expect.element(screen.getByText(profileTexts.archiveNote)).toBeVisible();
  gateway.answer('listProfiles', { profiles: [mara, { ...silent, archivedAt: 1 }, old] });
  await screen.getByRole('dialog').getByRole('button', { name: profileTexts.archive }).click();
  await expect.element(screen.getByRole('region', { name: profileTexts.title })).toHaveFocus();
  expect(gateway.asked('archiveProfile').map(({ params }) => params.slug)).toEqual(['ben']);
});

test('the chosen profile filters the pages, is in the address, and stays when one navigates', async () => {
  const { screen, gateway } = await renderAdmin({ path: '/admin/handlers', answers: several });
  const scope = (name: string) => screen.getByRole('button', { name: `Shown: ${name}` });
  await scope(profileTexts.all).click();
  await expect.element(screen.getByRole('menuitemradio', { name: /Old/ })).not.toBeInTheDocument();
  await screen.getByRole('menuitemradio', { name: 'Ben Okri' }).click();
  await expect.element(scope('Ben Okri')).toHaveFocus();
  await expect.poll(() => gateway.asked('readPeople').at(-1)?.query.profile).toBe('ben');
  const go = (name: RegExp) => screen.getByRole('navigation', navigation).getByRole('link', { name }).click();
  await go(/^Conversations/);
  await expect
    .poll(() => gateway.asked('listConversations').map(({ query }) => query.profile))
    .toEqual(['ben']);
  await screen.getByRole('radio', { name: /^Closed/ }).click();
  await expect.poll(() => location.search).toBe('?show=closed&profile=ben');
  await go(/^Audit/);
  await expect.poll(() => gateway.asked('readAudit').map(({ query }) => query.profile)).toEqual(['ben']);
  await go(/^Invites/);
  await expect.poll(() => gateway.asked('readInvites').map(({ query }) => query.profile)).toEqual(['ben']);
  await go(/^Dashboard/);
  await expect.poll(() => gateway.asked('readDashboard').map(({ query }) => query.profile)).toEqual(['ben']);
  await scope('Ben Okri').click();
  await screen.getByRole('menuitemradio', { name: profileTexts.all }).click();
  await expect.poll(() => gateway.asked('readDashboard').at(-1)?.query.profile).toBe(undefined);
  expect(location.search).toBe('');
});

test('an invite starts with the shown profile, says whom visitors see, and never has an archived one', async () => {
  const { screen } = await renderAdmin({ path: '/admin/invites/new?profile=ben', answers: several });
  const desk = screen.getByLabelText(inviteAdminTexts.desk);
  await expect.element(desk).toHaveValue('ben');
  await expect.element(screen.getByText(/Visitors see Ben Okri/)).toBeVisible();
  const options = [...desk.element().querySelectorAll('option')].map((option) => option.textContent);
  expect(options).toEqual([
    'Front Desk · Ben Okri',
    'Front Desk · Mara Lindqvist',
    'Second Desk · Mara Lindqvist',
  ]);
});

test('a chat is reassigned within its profile only', async () => {
  const chat = aChat('Jonas Weber');
  const { screen } = await renderAdmin({ path: '/admin/conversations', chats: [chat], answers: several });
  await screen.getByRole('button', { name: 'Actions for Jonas Weber' }).click();
  await screen.getByRole('menuitem', { name: adminTexts.reassign }).click();
  const target = screen.getByLabelText(conversationAdminTexts.reassignTo);
  await expect.element(target).toBeVisible();
  const values = [...target.element().querySelectorAll('option')].map(({ value }) => value);
  expect(values).toEqual(['', 'mara-east', 'second']);
});

test('a new desk asks for its profile, and desks of the same name are told apart', async () => {
  const { screen, gateway } = await renderAdmin({
    path: '/admin/handlers',
    answers: { ...several, readPeople: { people: [robin], next: null }, changePerson: {} },
  });
  await screen.getByRole('button', { name: 'Actions for Robin' }).click();
  await screen.getByRole('menuitem', { name: peopleTexts.desks }).click();
  const dialog = screen.getByRole('dialog', { name: 'Desks of Robin' });
  await expect.element(dialog.getByRole('checkbox', { name: 'Front Desk Ben Okri' })).toBeChecked();
  const field = dialog.getByLabelText(peopleTexts.findProfileOrDesk);
  await field.fill('lindqvist');
  await expect.element(dialog.getByRole('checkbox', { name: 'Front Desk Mara Lindqvist' })).not.toBeChecked();
  await field.fill('Kitchen');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog.getByRole('button', { name: 'Add Kitchen' })).toBeDisabled();
  await dialog.getByLabelText(profileTexts.ofNewDesk).selectOptions('ben');
  await dialog.getByRole('button', { name: 'Add Kitchen' }).click();
  await expect.element(dialog.getByRole('checkbox', { name: 'Kitchen Ben Okri' })).toBeChecked();
  await expect.element(field).toHaveFocus();
  await dialog.getByRole('button', { name: adminTexts.save }).click();
  await expect
    .poll(() => gateway.asked('changePerson').at(-1)?.body.person)
    .toEqual({
      desks: ['ben', 'kitchen'],
      deskNames: { kitchen: 'Kitchen' },
      deskProfiles: { kitchen: 'ben' },
    });
});
