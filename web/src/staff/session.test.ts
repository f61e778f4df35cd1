import { StaffClaims } from '@settee/protocol/model/staff';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { fakeClock } from '../../test/fakeClock.ts';
import { memoryStorage } from '../../test/memoryStorage.ts';
import { signInDestination } from '../handler/signInDestination.ts';
import type { Api } from '../net/api.ts';
import { sessionStore } from './session.ts';

const staff = { staffId: 's', name: 'Ana', role: 'handler', alias: 'east' };
const signedIn = { ok: true, answer: { success: true, staff, idToken: 't', expiresAt: 1 } };
const refusal = (status: number, text: string, code?: string) => ({ ok: false, status, text, code });

function setUp(answer: (name: string) => Promise<unknown>, storage = memoryStorage()) {
  const clock = fakeClock();
  const api = ((name: string) => answer(name)) as unknown as Api;
  return { clock, store: sessionStore(api, clock, () => storage) };
}

test('[S-14] where no sign-in is shown, loading waits for the answer', async () => {
  let answer: (value: unknown) => void = () => {};
  const { clock, store } = setUp(() => new Promise((resolve) => (answer = resolve)));
  const loading = store.load({ patient: true });
  await clock.pass(4_000);
  expect(store.get().phase).toBe('loading');
  answer(signedIn);
  await loading;
  expect(store.get().phase).toBe('ready');
});

test('[E-06] a person whose session ended reads why; a person who signed out does not', async () => {
  const { store } = setUp(async () => signedIn);
  await store.load();
  store.ended();
  expect(store.get()).toMatchObject({ phase: 'signedOut', error: 'User not authenticated' });
  await store.load();
  await store.signOut();
  expect(store.get()).toMatchObject({ phase: 'signedOut', error: null });
  store.ended();
  expect(store.get()).toMatchObject({ phase: 'signedOut', error: null });
});

test('[S-12] a sign-out that did not reach the server completes before anyone can sign in', async () => {
  const storage = memoryStorage();
  const asked: string[] = [];
  let online = true;
  const answer = async (name: string) => {
    asked.push(name);
    return online ? signedIn : refusal(0, 'Network error');
  };
  const page = () => setUp(answer, storage).store;
  const first = page();
  await first.load();
  online = false;
  await first.signOut();
  expect(first.get()).toEqual({ phase: 'signedOut', error: null, busy: false });

  // After a reload, offline or online, the previous person's console does not open.
  const offline = page();
  await offline.load();
  expect(offline.get().phase).toBe('signedOut');
  online = true;
  asked.length = 0;
  const reloaded = page();
  await reloaded.load();
  expect(reloaded.get().phase).toBe('signedOut');
  expect(asked).toEqual(['signOutStaff']);
  expect(storage.length).toBe(0);
  await page().load();
  expect(asked).toEqual(['signOutStaff', 'refreshStaff']);
});

test('[PUSH-14] a sign-out is reported while the server still accepts it', async () => {
  const done: string[] = [];
  const { store } = setUp(async (name) => {
    done.push(name);
    return signedIn;
  });
  await store.load();
  const stayed = store.onLeave(async () => void done.push('left'));
  await store.signOut();
  expect(done).toEqual(['refreshStaff', 'left', 'signOutStaff']);
  stayed();
  await store.signOut();
  expect(done.filter((each) => each === 'left')).toHaveLength(1);
});

test('[S-12] a tab gets no token for another person’s cookie, and ends', async () => {
  let answer: unknown = signedIn;
  const { store } = setUp(async () => answer);
  await store.load();
  expect(await store.tokens.renew()).toMatchObject({ idToken: 't' });
  answer = { ok: true, answer: { ...signedIn.answer, idToken: 'u', staff: { ...staff, staffId: 'other' } } };
  await expect(store.tokens.renew()).rejects.toThrow('somebody else is signed in');
  expect(store.get()).toMatchObject({ phase: 'signedOut', error: 'User not authenticated' });
  // A call that was in flight asks for a token once more.
  await expect(store.tokens.get()).rejects.toThrow();
});

test('[S-12] an answer from before a sign-in neither serves nor ends the next person', async () => {
  let late: (value: unknown) => void = () => {};
  let first = true;
  const next = { ...staff, staffId: 'next' };
  const { store } = setUp((name) => {
    if (name === 'signInStaff')
      return Promise.resolve({ ok: true, answer: { ...signedIn.answer, staff: next } });
    if (name === 'signOutStaff' || first) {
      first = false;
      return Promise.resolve(signedIn);
    }
    return new Promise((resolve) => (late = resolve));
  });
  await store.load();
  const renewing = store.tokens.renew();
  await store.signOut();
  await store.signIn('a@b', 'c');
  late(signedIn);
  await expect(renewing).rejects.toThrow();
  expect(store.get()).toEqual({ phase: 'ready', staff: next });
});

const asked = { ticket: 'the ticket', methods: ['totp', 'recovery'] };
const proof = { method: 'totp', code: '123456' } as const;

test('[A11Y-14] an expired ticket returns to the password; so does going back', async () => {
  let confirmed: unknown = refusal(401, 'Failed to sign in', 'sign_in_failed');
  const { store } = setUp(async (name) =>
    name === 'confirmSignIn' ? confirmed : { ok: true, answer: { success: true, secondFactor: asked } },
  );
  await store.signIn('a@b', 'c');
  await store.confirm(proof);
  expect(store.get()).toEqual({ phase: 'signedOut', error: 'Failed to sign in', busy: false });
  // Without a pending factor, nothing is sent.
  confirmed = signedIn;
  await store.confirm(proof);
  expect(store.get().phase).toBe('signedOut');

  await store.signIn('a@b', 'c');
  const confirming = store.confirm(proof);
  store.startOver();
  await confirming;
  expect(store.get()).toEqual({ phase: 'signedOut', error: null, busy: false });
});

test('[FACTOR-10] a refresh brings new claims; another person’s end the page', async () => {
  let now: unknown = { ...staff, mustEnrol: true };
  const { store } = setUp(async () => ({ ok: true, answer: { ...signedIn.answer, staff: now } }));
  await store.load();
  now = { ...staff, mustEnrol: false };
  await store.refresh();
  expect(store.get()).toEqual({ phase: 'ready', staff: now });
  now = { ...staff, staffId: 'other' };
  await store.refresh();
  expect(store.get().phase).toBe('signedOut');
});

test('[ACCOUNT-05] the page reports that the person does something, at most every five minutes', async () => {
  const reported: unknown[] = [];
  const clock = fakeClock();
  const api = (async (name: string, parts: { body?: unknown }) => {
    if (name === 'refreshStaff') reported.push(parts.body);
    return { ...signedIn, answer: { ...signedIn.answer, expiresAt: clock.now() + 3_600_000 } };
  }) as unknown as Api;
  const store = sessionStore(api, clock, memoryStorage);
  await store.load();
  // Opening the page counts. Waiting does not, although the token is renewed.
  await clock.pass(3_600_000);
  await store.tokens.get();
  expect(reported).toEqual([{ active: true }, { active: false }]);

  store.onActivity();
  store.onActivity();
  await clock.pass(4 * 60_000);
  store.onActivity();
  expect(reported.slice(2)).toEqual([{ active: true }]);
  await clock.pass(60_000);
  store.onActivity();
  expect(reported.slice(3)).toEqual([{ active: true }]);
});

test('[CONSOLE-49] who is at the page when the session ends keeps it; after an absence, or a sign-out elsewhere, nobody does', async () => {
  let now: unknown = signedIn;
  const { store, clock } = setUp(async () => now);
  await store.load();
  store.ended();
  expect(store.get()).toMatchObject({ interrupted: staff });
  store.leftElsewhere('other');
  expect(store.get()).toMatchObject({ interrupted: staff });
  const nobody = { phase: 'signedOut', error: null, busy: false };
  store.leftElsewhere('s');
  expect(store.get()).toEqual(nobody);

  await store.load();
  store.leftElsewhere('s');
  expect(store.get()).toEqual(nobody);
  await store.load();
  await clock.pass(5 * 60_000);
  store.ended();
  expect(store.get()).not.toHaveProperty('interrupted');
  await store.load();
  store.onActivity();
  now = { ok: true, answer: { ...signedIn.answer, staff: { ...staff, staffId: 'other' } } };
  await store.refresh();
  expect(store.get()).toEqual({ ...nobody, error: 'User not authenticated' });
});

const handler: StaffClaims = {
  ...v.getDefaults(StaffClaims),
  staffId: '5f0c2f9e-6a52-4f3c-9a6e-0d2f6c1f8f11',
  name: 'Ana',
  role: 'handler',
  alias: 'mara-east',
};

const admin: StaffClaims = { ...handler, role: 'admin', alias: null };

test('[A-02] an administrator who signs in reaches the page they asked for', () => {
  expect(signInDestination('?next=%2Fadmin%2Finvites%3Fstate%3DNEW', admin)).toEqual({
    goTo: '/admin/invites?state=NEW',
  });
  const searched = '/admin/invites?search=Lyon+reading*';
  expect(signInDestination(`?next=${encodeURIComponent(searched)}`, admin)).toEqual({ goTo: searched });
  expect(signInDestination('', admin)).toEqual({ show: 'console' });
});

test('[ACCOUNT-11] single sign-on returns to the page of the console where it began', () => {
  for (const staff of [handler, admin])
    expect(signInDestination('?next=%2Fhandler%2Fsecurity', staff)).toEqual({ goTo: '/handler/security' });
});

test('an external address is not followed', () => {
  for (const next of [
    '//evil.example',
    'https://evil.example',
    '/admin//evil',
    '/adminx',
    '/handler//evil',
    '/handlerx',
    'javascript:1',
  ]) {
    const arrival = signInDestination(`?next=${encodeURIComponent(next)}`, admin);
    expect('goTo' in arrival ? new URL(arrival.goTo, 'https://own.example').origin : 'none').toMatch(
      /^(?:none|https:\/\/own\.example)$/,
    );
  }
});

test('[A-04] a handler sees Access Denied only after asking for the admin area', () => {
  expect(signInDestination('?denied', handler)).toEqual({ show: 'accessDenied' });
  expect(signInDestination('?next=%2Fadmin', handler)).toEqual({ show: 'accessDenied' });
  expect(signInDestination('', handler)).toEqual({ show: 'console' });
  expect(signInDestination('?denied', admin)).toEqual({ show: 'console' });
});

test('[FACTOR-02] a person who must set up a second factor does it where they are, without a redirect', () => {
  const unready = { ...admin, mustEnrol: true };
  expect(signInDestination('', unready)).toEqual({ show: 'enrol' });
  expect(signInDestination('', { ...handler, mustEnrol: true })).toEqual({ show: 'enrol' });
  expect(signInDestination('?next=%2Fadmin%2Finvites', unready)).toEqual({ goTo: '/admin/invites' });
  expect(signInDestination('?next=%2F%2Fevil.example', unready)).toEqual({ show: 'enrol' });
});

test('[FACTOR-02] an administrator whose admin area is closed still gets the console', () => {
  expect(signInDestination('', { ...admin, adminClosed: true, enrolBy: 0 })).toEqual({ show: 'console' });
});
