import { ProfileSettings } from '@settee/protocol/calls/profileCalls';
import { defaultBrand } from '@settee/protocol/model/brand';
import { ALIAS_PATTERN } from '@settee/protocol/model/staff';
import { hoursTexts } from '@settee/protocol/texts/hoursTexts';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Api } from '../net/api.ts';
import { changedFields } from './changedFields.ts';
import { firstDraft, draftOf as weekDraftOf, weekOf, weekText } from './hours/week.ts';
import { deskOf } from './people/deskOf.ts';
import { moveDesk, type Progress } from './people/MoveFields.tsx';
import { problemsOf as personProblems, savingSteps } from './people/PersonDialog.tsx';
import { presenceText } from './people/personColumns.tsx';
import { initialCrop, moveCrop, sideOf, ZOOM_MAX, zoomCrop } from './profile/crop.ts';
import { bodyOf, draftOf, problemsOf } from './profile/draft.ts';

function apiThatAnswers(...answers: unknown[]): { api: Api<'moveDesk'>; asked: unknown[] } {
  const asked: unknown[] = [];
  const api = async (_name: string, parts: unknown) => {
    asked.push(parts);
    return answers.shift();
  };
  return { api: api as unknown as Api<'moveDesk'>, asked };
}

const step = (moved: number, left: number) => ({ ok: true, answer: { success: true, moved, left } });
const way = { from: 'east', to: 'west' };

test('[ADMIN-41] moving continues until nothing is left, and reports progress', async () => {
  const { api, asked } = apiThatAnswers(step(25, 30), step(25, 5), step(5, 0));
  const showToast: Progress[] = [];
  expect(await moveDesk(api, way, (progress) => showToast.push(progress))).toBeUndefined();
  expect(showToast).toEqual([
    { moved: 25, total: 55 },
    { moved: 50, total: 55 },
    { moved: 55, total: 55 },
  ]);
  expect(asked).toEqual(Array(3).fill({ params: { alias: 'east' }, body: { to: 'west' } }));
});

test('[ADMIN-41] moving stops when a step fails or moves nothing', async () => {
  const failing = apiThatAnswers(step(25, 30), { ok: false, text: 'Network error' });
  expect(await moveDesk(failing.api, way, () => {})).toBe('Network error');
  const stuck = apiThatAnswers(step(0, 3));
  expect(await moveDesk(stuck.api, way, () => {})).toBeUndefined();
  expect(stuck.asked).toHaveLength(1);
});

test('a desk is emptied for another one only when the rest of the person is saved', () => {
  const start = {
    name: 'Mara',
    email: 'mara@settee.example',
    role: 'handler',
    desk: 'East',
    alias: 'east',
  } as const;
  const { name, email } = start;
  const changed = { name, email, role: 'admin', alias: 'new', deskName: 'New' } as const;
  expect(savingSteps(start, changed, '')).toEqual([{ person: changed, bringAlong: false }]);
  expect(savingSteps(start, changed, 'new')).toEqual([{ person: changed, bringAlong: true }, 'move']);
  expect(savingSteps(start, changed, 'west')).toEqual([
    { person: { name, email, role: 'handler', alias: 'east' }, bringAlong: false },
    'move',
    { person: changed, bringAlong: false },
  ]);
  // The person got their own desk back after the desk for the work was chosen.
  const kept = { ...changed, alias: 'east' };
  expect(savingSteps(start, kept, 'west')).toEqual([{ person: kept, bringAlong: false }]);
});

const NOW = 1_800_000_000_000;
const person = { online: false, away: false, lastSeenAt: NOW - 2 * 3_600_000 };

test('presence shows as text, with the time for those who are offline', () => {
  expect(presenceText({ ...person, online: true }, NOW)).toBe('Online');
  expect(presenceText({ ...person, online: true, away: true }, NOW)).toBe('Away');
  expect(presenceText({ ...person, away: true }, NOW)).toBe('Last seen 2h ago');
  expect(presenceText({ ...person, lastSeenAt: NOW - 5_000 }, NOW)).toBe('Last seen just now');
  expect(presenceText({ ...person, lastSeenAt: null }, NOW)).toBe('Not signed in yet');
});

const good = { name: 'Mara', email: 'mara@settee.example', role: 'handler', desk: 'East' } as const;

test('[ADMIN-38] each error shows at its field, before any request', () => {
  expect(personProblems(good)).toEqual({});
  expect(personProblems({ ...good, role: 'admin', desk: '' })).toEqual({});
  expect(personProblems({ name: ' ', email: 'mara', role: 'handler', desk: '' })).toEqual({
    name: 'Enter a name',
    email: 'That isn’t an e-mail address',
    desk: 'Someone who answers needs a desk',
  });
  expect(personProblems({ ...good, desk: 'x'.repeat(41) }).desk).toContain('at most 40');
});

test('a desk has any name, and the alias that follows from it', () => {
  const names = { 'mara-east': 'Ostsee', night: 'Night Shift' };
  expect(deskOf(' Front Desk ', names, null)).toEqual({ alias: 'front-desk', deskName: 'Front Desk' });
  expect(deskOf('Grüße & Küsse', names, null)).toMatchObject({ alias: 'grusse-kusse' });
  expect(deskOf('x'.repeat(40), names, null).alias).toMatch(ALIAS_PATTERN);
  const arabic = deskOf('الاستقبال', names, null);
  expect(arabic.alias).toMatch(ALIAS_PATTERN);
  expect(arabic).toEqual(deskOf('الاستقبال', names, null));
  expect(arabic.alias).not.toBe(deskOf('受付', names, null).alias);
  // A desk that exists, by its name or its alias. Only the own desk gets another name.
  expect(deskOf('ostsee', names, null)).toEqual({ alias: 'mara-east' });
  expect(deskOf('old--desk', names, null)).toEqual({ alias: 'old--desk' });
  expect(deskOf('night', names, null)).toEqual({ alias: 'night' });
  expect(deskOf('Night', names, null)).toEqual({ alias: 'night' });
  expect(deskOf('Night', names, 'night')).toEqual({ alias: 'night', deskName: 'Night' });
  expect(deskOf('  ', names, 'night')).toEqual({ alias: null });
});

const size = { width: 400, height: 200 };

test('a picture is first cropped in the middle, as large as possible', () => {
  expect(initialCrop(size)).toEqual({ left: 100, top: 0, zoom: 1 });
  expect(sideOf(size, 1)).toBe(200);
});

test('the square stays inside the picture, however far it is moved or zoomed', () => {
  const whole = initialCrop(size);
  expect(moveCrop(size, whole, { x: 1_000, y: 1_000 })).toEqual({ left: 200, top: 0, zoom: 1 });
  expect(moveCrop(size, whole, { x: -1_000, y: -5 })).toEqual({ left: 0, top: 0, zoom: 1 });
  const near = zoomCrop(size, whole, 2);
  expect(near).toEqual({ left: 150, top: 50, zoom: 2 });
  expect(zoomCrop(size, near, 100).zoom).toBe(ZOOM_MAX);
  const corner = moveCrop(size, near, { x: 1_000, y: 1_000 });
  expect(corner).toEqual({ left: 300, top: 100, zoom: 2 });
  expect(zoomCrop(size, corner, 0)).toEqual({ left: 200, top: 0, zoom: 1 });
});

const saved = {
  brand: { ...defaultBrand, displayName: 'Mara' },
  settings: {
    ...v.getDefaults(ProfileSettings),
    reopenDays: 7,
    waitingMinutes: 5,
    waitingLongMinutes: 15,
    keepDays: null,
  },
};

const draft = draftOf(saved);

test('a reverted change is no change', () => {
  expect(changedFields(draft, { displayName: 'Mara', verified: true, picture: undefined })).toEqual({});
  expect(changedFields(draft, { displayName: 'Ines', reopenDays: '7' })).toEqual({ displayName: 'Ines' });
  expect(changedFields(draft, { picture: null })).toEqual({ picture: null });
});

test('only changed fields are sent, and default texts as none', () => {
  expect(bodyOf(saved, draft)).toEqual({});
  expect(bodyOf(saved, { ...draft, verified: false, disclosure: '' })).toEqual({
    verified: false,
    disclosure: '',
  });
  const reworded = { ...saved, brand: { ...saved.brand, disclosure: 'We all answer.' } };
  expect(bodyOf(reworded, draft)).toEqual({ disclosure: null });
  expect(bodyOf(saved, { ...draft, keepsForEver: false, keepDays: '30' })).toEqual({ keepDays: 30 });
  expect(bodyOf({ ...saved, settings: { ...saved.settings, keepDays: 30 } }, draft)).toEqual({
    keepDays: null,
  });
});

test('text typed during a save is still unsaved', () => {
  const sent = { ...draft, displayName: 'Ines', reopenDays: '9' };
  expect(changedFields(sent, { displayName: 'Ines B.', reopenDays: '9' })).toEqual({
    displayName: 'Ines B.',
  });
  expect(changedFields(sent, { displayName: 'Ines', picture: null })).toEqual({ picture: null });
});

test('invalid input is reported at its field', () => {
  expect(problemsOf(draft)).toEqual({});
  expect(problemsOf({ ...draft, keepDays: '' })).toEqual({});
  expect(
    problemsOf({
      ...draft,
      displayName: '  ',
      reopenDays: '',
      waitingMinutes: '15',
      keepsForEver: false,
      keepDays: '0',
    }),
  ).toEqual({
    displayName: 'Use 1 to 80 characters',
    reopenDays: 'From 0 to 365 days',
    waitingLongMinutes: 'Urgent must come later than highlighted',
    keepDays: 'From 1 to 3,650 days',
  });
  expect(problemsOf({ ...draft, waitingMinutes: '1441' })).toEqual({
    waitingMinutes: 'From 1 to 1,440 minutes',
  });
  expect(problemsOf({ ...draft, displayName: 'x'.repeat(81), disclosure: 'x'.repeat(201) })).toEqual({
    displayName: 'Use 1 to 80 characters',
    disclosure: 'Use at most 200 characters',
  });
});

const nine = { from: 540, to: 1_020 };
const week = [[nine], [nine], [nine], [nine], [nine], [], []];

/** A week whose other days are closed. */
const monday = <T>(...spans: T[]): T[][] => [spans, [], [], [], [], [], []];

test('a week of time fields is stored in minutes, in order, and shown as it was typed', () => {
  expect(weekOf(firstDraft())).toEqual({ week });
  expect(weekDraftOf({ timeZone: 'UTC', week })).toEqual(firstDraft());
  expect(weekOf(monday({ from: '13', to: '00:00' }, { from: '8.30', to: '1200' }))).toEqual({
    week: monday({ from: 510, to: 720 }, { from: 780, to: 1_440 }),
  });
});

test.each([
  ['09:00-09:00'],
  ['12:00-09:00'],
  ['09:00-12:00 11:00-13:00'],
  ['-12:00'],
  ['9:75-12:00'],
  ['09:00-25:00'],
  ['nine-12:00'],
])('the hours %s are reported', (typed) => {
  const spans = typed.split(' ').map((span) => span.split('-'));
  expect(weekOf(monday(...spans.map(([from = '', to = '']) => ({ from, to }))))).toEqual({
    problem: hoursTexts.order,
  });
});

test('equal days are summed up', () => {
  expect(weekText(week)).toBe('Mon–Fri 09:00–17:00');
  expect(weekText([[nine], [], [nine], [nine, { from: 1_080, to: 1_440 }], [], [], []])).toBe(
    'Mon 09:00–17:00, Wed 09:00–17:00, Thu 09:00–17:00 18:00–24:00',
  );
  expect(weekText([[], [], [], [], [], [], []])).toBe(hoursTexts.closedAllWeek);
});
