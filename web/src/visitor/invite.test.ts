import { type Brand, defaultBrand } from '@settee/protocol/model/brand';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { memoryStorage } from '../../test/memoryStorage.ts';
import type { Api, Failure } from '../net/api.ts';
import { backAtText } from './AwayNote.tsx';
import { type Farewell, inviteFlow } from './invite.ts';
import { type Page, type PageEvent, pageReducer } from './page.ts';
import { type Presence, type Profile, type ProfileEvent, profileReducer, showsOnline } from './profile.ts';
import { LEFT, savedChat } from './savedChat.ts';

type Answers = Record<string, unknown[]>;

const refused = (failure: Partial<Omit<Failure, 'answer'>> & { answer?: unknown }) => ({
  ok: false,
  code: undefined,
  status: 400,
  text: '',
  answer: undefined,
  ...failure,
});

const fine = (answer: unknown) => ({ ok: true, answer });

const checked = (state: string, more = {}) =>
  fine({ success: true, exists: true, expired: false, revoked: false, state, error: null, ...more });

const seated = fine({
  success: true,
  conversationId: 'c',
  continueCode: '4827',
  needsCode: false,
  error: null,
});

const needsCode = refused({ text: 'Continue code required', answer: { needsCode: true } });
const named = (visitorName: string) => fine({ success: true, conversation: { visitorName } });

/** The flow with prepared answers: what it called, what it stored, and what the page shows. */
function setUp(
  answers: Answers,
  stored: { code?: string; first?: string; saved?: string } = {},
  tab: { farewell?: Farewell } = {},
) {
  let page: Page = { view: 'loading' };
  const asked: string[] = [];
  const forgotten: (string | null)[] = [];
  let left: string | null = null;
  const api = (async (name: string, parts: { body?: { code?: string } }) => {
    asked.push(parts.body?.code === undefined ? name : `${name} ${parts.body.code}`);
    return answers[name]?.shift() ?? fine({ success: true });
  }) as unknown as Api;
  const token = async () => ({ idToken: 't', expiresAt: 0 });
  const flow = inviteFlow({
    token: 'T',
    api,
    once: api,
    now: () => 1,
    tokens: {
      get: token,
      renew() {
        asked.push('renew');
        return token();
      },
      keep() {},
      forget() {},
    },
    saved: {
      storedCode: () => stored.code ?? '',
      storeCode: (code) => {
        stored.code = code;
      },
      markFirstSession: () => {
        stored.first = 'true';
      },
      remembered: () => stored.saved ?? null,
      remember: (conversationId) => {
        stored.saved = conversationId;
      },
      forget: () => {
        delete stored.saved;
      },
      leave: () => {
        left = stored.saved ?? null;
        delete stored.saved;
      },
    },
    dispatch: (event) => {
      page = pageReducer(page, event);
    },
    forgetLeft: () => forgotten.push(left),
    tab: {
      read: () => tab.farewell,
      write: (farewell) => {
        tab.farewell = farewell;
      },
    },
  });
  const giveName = async (name: string) => {
    if (page.view === 'active') await flow.giveName(page, name);
  };
  return { flow, giveName, asked, stored, forgotten, page: () => page };
}

/** The flow of a person who has opened the link, pressed Start chat and given this name. */
async function afterName(name: string, ...given: Parameters<typeof setUp>) {
  const all = setUp(...given);
  await all.flow.load();
  await all.flow.start();
  await all.giveName(name);
  return all;
}

const revoked = refused({ answer: { exists: true, revoked: true } });
const noNetwork = refused({ status: 0, text: 'Network error' });
const busy = refused({ status: 503, text: 'HTTP 503' });

test.each([
  ['Invite not found', refused({ status: 404, text: 'x', answer: { exists: false, error: null } }), false],
  ['the server’s own words', refused({ answer: { exists: false, error: 'the server’s own words' } }), false],
  ['This invite link has expired', refused({ status: 410, answer: { exists: true, expired: true } }), false],
  ['This invite link has been revoked', revoked, false],
  ['Failed to load invite', noNetwork, true],
  ['Failed to load invite', refused({ status: 200, text: 'HTTP 200' }), true],
  ['HTTP 503', busy, true],
  ['HTTP 429', refused({ status: 429, text: 'HTTP 429' }), true],
])('[E-01] the error view shows %s, and Try again only where it may help', async (reason, answer, again) => {
  const { flow, page } = setUp({ checkInvite: [answer] });
  await flow.load();
  expect(page()).toMatchObject({ view: 'error', reason, again: again || undefined });
});

test('[S-04] [S-07] the first name claims, stores the code, marks the session, sets the name, then saves the profile', async () => {
  const { asked, stored, page } = await afterName('Jonas', {
    checkInvite: [checked('NEW')],
    claimInvite: [seated],
  });
  expect(asked).toEqual(['checkInvite', 'seeInvite', 'claimInvite', 'renew', 'nameVisitor', 'saveProfile']);
  expect(stored).toEqual({ code: '4827', first: 'true', saved: 'c' });
  expect(page()).toMatchObject({ view: 'active', conversationId: 'c', named: true, banner: '4827' });
});

test('[S-05] [E-03] a bound invite asks for a code if none is stored', async () => {
  const { flow, giveName, asked, page } = setUp({
    checkInvite: [checked('BOUND')],
    attachInvite: [needsCode, needsCode],
  });
  await flow.load();
  expect(page()).toMatchObject({ view: 'unclaimed', invite: 'BOUND' });
  await flow.start();
  await giveName('Jonas');
  expect(page()).toEqual({
    view: 'needsCode',
    attaching: false,
    note: 'Continue code required',
    error: null,
  });
  expect(asked.filter((call) => call.startsWith('attach'))).toEqual(['attachInvite ', 'attachInvite ']);
});

test('[S-05] a bound invite attaches with the stored code', async () => {
  const { asked, page } = await afterName(
    'Jonas',
    { checkInvite: [checked('BOUND')], attachInvite: [needsCode, seated] },
    { code: '4827' },
  );
  expect(asked.filter((call) => call.startsWith('attach'))).toEqual(['attachInvite ', 'attachInvite 4827']);
  expect(page()).toMatchObject({ view: 'active', conversationId: 'c', named: true });
});

test('[S-06] if there is a conversation, only the name is updated', async () => {
  const { flow, giveName, asked, page } = setUp({
    attachInvite: [seated],
    readConversation: [named('Guest')],
  });
  await flow.enterCode('4827');
  expect(page()).toMatchObject({ view: 'active', named: false });
  await giveName('Jonas');
  expect(asked).toEqual(['attachInvite 4827', 'renew', 'readConversation', 'nameVisitor', 'saveProfile']);
});

test.each([
  ["That code doesn't match. Try again", refused({ text: 'Invalid code. Please try again.' })],
  ['Too many wrong codes.', refused({ text: 'Too many wrong codes.' })],
  ['Failed to verify code', refused({ status: 200 })],
  ['Network error', refused({ status: 0, text: 'Network error' })],
])('[E-02] the code view shows %s', async (error, answer) => {
  const { flow, page } = setUp({ attachInvite: [answer] });
  await flow.enterCode('1234');
  expect(page()).toEqual({ view: 'needsCode', attaching: false, note: null, error });
});

test.each<[string, string, Answers]>([
  ['Failed to create conversation', 'NEW', { claimInvite: [refused({ status: 200 })] }],
  ['The server knows best', 'NEW', { claimInvite: [refused({ text: 'The server knows best' })] }],
  ['Failed to attach to conversation', 'BOUND', { attachInvite: [needsCode, refused({ status: 200 })] }],
  ['Failed to save name', 'NEW', { claimInvite: [seated], nameVisitor: [refused({})] }],
])('[E-03] [E-04] claiming, attaching and naming show: %s', async (nameError, state, answers) => {
  const { page } = await afterName('Jonas', { checkInvite: [checked(state)], ...answers });
  expect(page()).toMatchObject({ nameError, named: false });
});

test('[S-06] a second try after a name that could not be saved claims nothing again', async () => {
  const { giveName, asked, page } = await afterName('Ivo', {
    checkInvite: [checked('NEW')],
    claimInvite: [seated],
    nameVisitor: [refused({})],
  });
  asked.length = 0;
  await giveName('Ivo');
  expect(asked).toEqual(['nameVisitor', 'saveProfile']);
  expect(page()).toMatchObject({ view: 'active', named: true, nameError: null });
});

test('[NET-24] a device with access and a name remembers its chat, and one without a name does not', async () => {
  for (const [name, saved] of [
    ['Jonas', 'c'],
    ['Guest', undefined],
  ] as const) {
    const bound = { checkInvite: [checked('BOUND')], attachInvite: [seated] };
    const { flow, stored } = setUp({ ...bound, readConversation: [named(name)] });
    await flow.load();
    expect(stored.saved).toBe(saved);
  }
});

test.each<[string, Answers]>([
  ['from the start', { checkInvite: [noNetwork] }],
  ['after the look-up', { checkInvite: [checked('BOUND')], attachInvite: [noNetwork] }],
  [
    'after the place was found',
    { checkInvite: [checked('BOUND')], attachInvite: [seated], readConversation: [noNetwork] },
  ],
])('[NET-24] without a network %s, a remembered chat opens', async (_, answers) => {
  const { flow, page } = setUp(answers, { saved: 'c' });
  await flow.load();
  expect(page()).toMatchObject({ view: 'active', conversationId: 'c', named: true, banner: null });
});

test('[NET-24] the server’s answer takes precedence over what is remembered', async () => {
  const ended = setUp({ checkInvite: [revoked] }, { saved: 'c' });
  await ended.flow.load();
  expect(ended.page()).toEqual({ view: 'error', reason: 'This invite link has been revoked' });
  expect(ended.stored.saved).toBeUndefined();
  const replaced = setUp({ checkInvite: [checked('BOUND')], attachInvite: [needsCode] }, { saved: 'c' });
  await replaced.flow.load();
  expect([replaced.page().view, replaced.stored.saved]).toEqual(['unclaimed', undefined]);
  const later = setUp({ checkInvite: [busy] }, { saved: 'c' });
  await later.flow.load();
  expect(later.page()).toEqual({ view: 'error', reason: 'HTTP 503', again: true });
  expect(later.stored.saved).toBe('c');
});

const notFound = refused({ status: 404, code: 'not_found' });
const removed = 'This device no longer has access to this chat.';
const unknown = refused({ status: 404, answer: { exists: false, error: 'Invite not found' } });

test('[INVITE-24] a device stays in the chat when its link is replaced', async () => {
  const open = (answer: unknown) =>
    setUp({ checkInvite: [unknown], readConversation: [answer] }, { saved: 'c' });
  const { flow, page } = open(named('Jonas'));
  await flow.load();
  expect(page()).toMatchObject({ view: 'active', conversationId: 'c', named: true });

  const gone = open(notFound);
  await gone.flow.load();
  expect(gone.page()).toEqual({ view: 'error', reason: 'Invite not found' });
  expect([gone.forgotten, gone.stored.saved]).toEqual([['c'], undefined]);

  const later = open(busy);
  await later.flow.load();
  expect([later.forgotten, later.stored.saved]).toEqual([[], 'c']);
});

test('[INVITE-21] a chat that ended behind a replaced link leaves nothing on the device', async () => {
  const ended = setUp({ checkInvite: [unknown], readConversation: [notFound] }, { saved: 'c' });
  await ended.flow.onAccessLost(false);
  expect([ended.forgotten, ended.stored.saved]).toEqual([['c'], undefined]);
  expect(ended.page()).toEqual({ view: 'error', reason: 'Invite not found' });

  const erased = setUp({ checkInvite: [noNetwork] }, { saved: 'c' });
  await erased.flow.onAccessLost(true);
  expect([erased.forgotten, erased.stored.saved]).toEqual([['c'], undefined]);
});

test('after the visitor deleted the chat, a reload says that, and not that the link was revoked', async () => {
  const tab = {};
  const farewell = { title: 'Conversation deleted', reason: 'Nothing is left.' };
  setUp({}, { saved: 'c' }, tab).flow.erased(farewell);
  const { flow, page } = setUp({ checkInvite: [revoked] }, {}, tab);
  await flow.load();
  expect(page()).toMatchObject({ view: 'error', ...farewell });
});

test.each([
  ['[INVITE-21] an open chat of a revoked invite says so', [revoked], 'This invite link has been revoked'],
  ['[DEVICE-03] a removed device hides its chat', [checked('BOUND')], removed],
  ['[INVITE-21] behind a replaced link, the chat says that it ended', [unknown], 'Invite not found'],
])('%s, also if the checks fail at first', async (_, answers, reason) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const checkInvite = [noNetwork, busy, refused({ status: 429 }), ...answers];
  const readConversation = [noNetwork, busy, notFound];
  const { flow, page, stored, forgotten } = setUp({ checkInvite, readConversation }, { saved: 'c' });
  const done = flow.onAccessLost(false);
  await vi.advanceTimersByTimeAsync(0);
  // The reason is unknown, so the page keeps its view.
  expect(page()).toEqual({ view: 'loading' });
  await vi.runAllTimersAsync();
  await done;
  expect(page()).toEqual({ view: 'error', reason });
  expect([forgotten, stored.saved]).toEqual([['c'], undefined]);
});

test('a second load, such as a retry by timer and by network, does not close the opened form', async () => {
  const { promise: late, resolve } = Promise.withResolvers();
  const { flow, page } = setUp({ checkInvite: [checked('NEW'), late] });
  const first = flow.load();
  const second = flow.load();
  await first;
  await flow.start();
  resolve(checked('NEW'));
  await second;
  expect(page()).toMatchObject({ view: 'active' });
});

test('[E-03] Enter after the last digit, which already submitted the code, does not submit it again', async () => {
  const { flow, asked, page } = setUp({
    checkInvite: [checked('BOUND')],
    attachInvite: [needsCode, seated, needsCode],
    readConversation: [named('Jonas')],
  });
  await flow.load();
  await Promise.all([flow.enterCode('4827'), flow.enterCode('4827')]);
  expect(asked.filter((call) => call === 'attachInvite 4827')).toHaveLength(1);
  expect(page()).toMatchObject({ view: 'active' });
});

test('the code that works is the stored one', () => {
  const { flow, stored } = setUp({}, { code: '1111' });
  flow.codeChanged('2222');
  flow.codeChanged(null);
  expect(stored.code).toBe('2222');
});

const after = (...events: PageEvent[]) => events.reduce(pageReducer, { view: 'loading' } as Page);

test('the banner shows the next code after a use, none when none works, and stays dismissed', () => {
  const chat: PageEvent[] = [{ type: 'attached', conversationId: 'c', named: true, banner: '4827' }];
  expect(after(...chat)).toMatchObject({ banner: '4827', mayRenew: false });
  expect(after(...chat, { type: 'codeShown', code: '4827' })).toMatchObject({
    banner: '4827',
    mayRenew: true,
  });
  const next: PageEvent = { type: 'codeChanged', code: '1234', error: 'locked' };
  expect(after(...chat, next)).toMatchObject({ banner: '1234', codeFailures: 0 });
  expect(after(...chat, { type: 'bannerDismissed' }, next)).toMatchObject({ banner: null, codeFailures: 0 });
  expect(after(...chat, { type: 'codeChanged', code: null, error: 'locked' })).toMatchObject({
    banner: null,
    codeFailures: 1,
    codeError: 'locked',
  });
});

test('[PRIVACY-06] a chat that was left is marked for deletion until this device joins it again', () => {
  const storage = memoryStorage();
  const chat = savedChat(() => storage, 'T');
  const state = () => [chat.remembered(), storage.getItem(`${LEFT}T`)];
  chat.remember('c');
  expect(state()).toEqual(['c', null]);
  chat.leave();
  // Again, for example because the link shows as revoked.
  chat.leave();
  expect(state()).toEqual([null, 'c']);
  chat.remember('c');
  expect(state()).toEqual(['c', null]);
});

test('the return of the host is named by the day in the reader’s zone', () => {
  const now = new Date(2026, 10, 20, 18, 30).getTime();
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 0).getTime();
  expect(backAtText(at(20, 20), now)).toBe('Back at 20:00');
  expect(backAtText(at(21, 9), now)).toBe('Back tomorrow at 09:00');
  expect(backAtText(at(23, 9), now)).toBe('Back Monday at 09:00');
  expect(backAtText(at(26, 9), now)).toBe('Back Thursday at 09:00');
  expect(backAtText(at(27, 9), now)).toBe('Back 27 November at 09:00');
});

describe('the profile', () => {
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

  const here = welcome(defaultBrand, true);
  const nobody = welcome(defaultBrand, false);
  const readHere: ProfileEvent = { type: 'read', brand: defaultBrand, online: true };
  const readNobody: ProfileEvent = { type: 'read', brand: defaultBrand, online: false };
  const failed: ProfileEvent = { type: 'readFailed', answered: true };
  const unanswered: ProfileEvent = { type: 'readFailed', answered: false };
  const lineLost: ProfileEvent = { type: 'lineLost' };
  const opened: ProfileEvent = { type: 'chatOpened', returning: true };
  const watched = { type: 'watched' } as ProfileEvent;
  const presence = (online: boolean): ProfileEvent => ({ type: 'presence', online });

  test.each<[string, Presence, ProfileEvent[]]>([
    ['the call answers that somebody is there', 'online', [readHere]],
    ['the call answers that nobody is', 'away', [readNobody]],
    ['the call fails', 'unknown', [failed]],
    ['the call has no answer', 'lost', [unanswered]],
    ['the line does not answer', 'lost', [lineLost]],
    ['the call fails after the line answered', 'away', [nobody, unanswered]],
    ['the line is lost while somebody was there', 'lost', [here, lineLost]],
    ['the line is lost while nobody was', 'lost', [nobody, lineLost]],
    ['the call’s older answer comes after the line’s', 'online', [nobody, presence(true), readNobody]],
    ['the line comes back', 'online', [failed, lineLost, here]],
    [
      'a chat opens, only an answer about its desk counts',
      'away',
      [readHere, opened, here, presence(false), watched, readHere],
    ],
    ['a chat opens and its desk is not known', 'checking', [readHere, opened, here]],
    ['a chat opens at an older gateway, which does not know desks', 'online', [opened, here, watched]],
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
});
