import { type Brand, defaultBrand } from '@settee/protocol/model/brand';
import { expect, test } from 'vitest';
import { type Presence, type Profile, type ProfileEvent, profileReducer, showsOnline } from './profile.ts';

const first: Profile = { brand: defaultBrand, presence: 'checking' };
const brand = (displayName: string, updatedAt: number): Brand => ({
  ...defaultBrand,
  displayName,
  updatedAt,
});
const welcome = (brand: Brand, online: boolean): ProfileEvent => ({
  type: 'welcome',
  version: 1,
  serverTime: 0,
  brand,
  online,
});
const after = (...news: ProfileEvent[]) => news.reduce(profileReducer, first);

test('[E-09] when the settings cannot be read, the defaults stay', () => {
  expect(after({ type: 'readFailed', answered: true }).brand).toBe(defaultBrand);
});

test.each<[string, Presence, ProfileEvent[]]>([
  [
    'the call answers that somebody is there',
    'online',
    [{ type: 'read', brand: defaultBrand, online: true }],
  ],
  ['the call answers that nobody is', 'away', [{ type: 'read', brand: defaultBrand, online: false }]],
  ['the call fails', 'unknown', [{ type: 'readFailed', answered: true }]],
  ['the call has no answer', 'lost', [{ type: 'readFailed', answered: false }]],
  ['the line does not answer', 'lost', [{ type: 'lineLost' }]],
  [
    'the call fails after the line answered',
    'away',
    [welcome(defaultBrand, false), { type: 'readFailed', answered: false }],
  ],
  ['the line is lost while somebody was there', 'lost', [welcome(defaultBrand, true), { type: 'lineLost' }]],
  ['the line is lost while nobody was', 'lost', [welcome(defaultBrand, false), { type: 'lineLost' }]],
  [
    'the call’s older answer comes after the line’s',
    'online',
    [
      welcome(defaultBrand, false),
      { type: 'presence', online: true },
      { type: 'read', brand: defaultBrand, online: false },
    ],
  ],
  [
    'the line comes back',
    'online',
    [{ type: 'readFailed', answered: true }, { type: 'lineLost' }, welcome(defaultBrand, true)],
  ],
])('[E-10] when %s, presence is %s', (_when, presence, news) => {
  expect(after(...news).presence).toBe(presence);
});

test('[E-10] the chat header shows online for an unknown presence, but not during an outage', () => {
  const here = (['checking', 'online', 'away', 'unknown', 'lost'] as const).map((presence) =>
    showsOnline({ brand: defaultBrand, presence }),
  );
  expect(here).toEqual([false, true, false, true, false]);
});

test('the newer brand wins, in any order of arrival', () => {
  const [old, young] = [brand('Old', 1), brand('Young', 2)];
  expect(after({ type: 'brand', brand: young }, { type: 'read', brand: old, online: true }).brand).toBe(
    young,
  );
  expect(after({ type: 'read', brand: old, online: true }, { type: 'brand', brand: young }).brand).toBe(
    young,
  );
});

test('frames of a conversation do not change the profile', () => {
  expect(after({ type: 'pong' })).toBe(first);
});
