import { expect, test } from 'vitest';
import { fakeClock } from '../../test/fakeClock.ts';
import type { Api } from '../net/api.ts';
import { sessionStore } from './session.ts';

const staff = { staffId: 's', name: 'Ana', role: 'handler', alias: 'east' };
const signedIn = { ok: true, answer: { success: true, staff, idToken: 't', expiresAt: 1 } };
const refusal = (status: number, text: string, code?: string) => ({ ok: false, status, text, code });

function localStorageOf(kept: Map<string, string>) {
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    key: (at: number) => [...kept.keys()][at] ?? null,
    get length() {
      return kept.size;
    },
  };
}

function setUp(answer: (name: string) => Promise<unknown>, kept = new Map<string, string>()) {
  const clock = fakeClock();
  const storage = localStorageOf(kept);
  const api = ((name: string) => answer(name)) as unknown as Api;
  return { clock, store: sessionStore(api, clock, () => storage) };
}

test('[S-12] the cookie decides between console and sign-in', async () => {
  const known = setUp(async () => signedIn);
  expect(known.store.get()).toEqual({ phase: 'loading' });
  await known.store.load();
  expect(known.store.get()).toEqual({ phase: 'ready', staff });

  const unknown = setUp(async () => refusal(401, 'User not authenticated'));
  await unknown.store.load();
  expect(unknown.store.get()).toEqual({ phase: 'signedOut', error: null, busy: false });
});

test('[S-14] loading ends after 3 s; a later answer still signs in', async () => {
  let answer: (value: unknown) => void = () => {};
  const { clock, store } = setUp(() => new Promise((resolve) => (answer = resolve)));
  const loading = store.load();
  await clock.pass(2_999);
  expect(store.get().phase).toBe('loading');
  await clock.pass(1);
  expect(store.get().phase).toBe('signedOut');
  answer(signedIn);
  await loading;
  expect(store.get().phase).toBe('ready');
});

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

test('[H-11] [E-06] a failing server is an authentication error', async () => {
  const { store } = setUp(async () => refusal(500, 'HTTP 500'));
  await store.load();
  expect(store.get()).toEqual({ phase: 'failed', reason: 'Failed to initialize authentication' });
});

test('[E-06] a refused sign-in shows the server’s reason', async () => {
  const denied = 'Access denied. Handler or admin role required.';
  const { store } = setUp(async () => refusal(403, denied, 'access_denied'));
  const signing = store.signIn('a@b', 'c');
  expect(store.get()).toMatchObject({ busy: true });
  await signing;
  expect(store.get()).toEqual({ phase: 'signedOut', error: denied, busy: false });
});

test('[E-06] a sign-in with an invalid answer shows an error', async () => {
  const { store } = setUp(async () => refusal(200, 'HTTP 200'));
  await store.signIn('a@b', 'c');
  expect(store.get()).toMatchObject({ phase: 'signedOut', error: 'Failed to authenticate' });
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
  const kept = new Map<string, string>();
  const asked: string[] = [];
  let online = true;
  const answer = async (name: string) => {
    asked.push(name);
    return online ? signedIn : refusal(0, 'Network error');
  };
  const page = () => setUp(answer, kept).store;
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
  expect(kept.size).toBe(0);
  await page().load();
  expect(asked).toEqual(['signOutStaff', 'refreshStaff']);
});

test('[S-12] a sign-in waits for the earlier sign-out, and completes it', async () => {
  const kept = new Map([['leaving', 'yes']]);
  const asked: string[] = [];
  let fail: (value: unknown) => void = () => {};
  const { store, clock } = setUp((name) => {
    asked.push(name);
    return name === 'signOutStaff' ? new Promise((resolve) => (fail = resolve)) : Promise.resolve(signedIn);
  }, kept);
  const loading = store.load();
  await clock.pass(3_000);
  expect(store.get().phase).toBe('signedOut');
  const signing = store.signIn('a@b', 'c');
  expect(asked).toEqual(['signOutStaff']);
  fail(refusal(0, 'Network error'));
  await Promise.all([loading, signing]);
  expect(store.get().phase).toBe('ready');
  expect(kept.size).toBe(0);
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

test('[A11Y-14] a right password may ask for a factor, which then signs in', async () => {
  const given: unknown[] = [];
  const answers: Record<string, unknown[]> = {
    signInStaff: [{ ok: true, answer: { success: true, secondFactor: asked } }],
    confirmSignIn: [refusal(401, 'That code is not right.', 'second_factor_failed'), signedIn],
  };
  const { store } = setUp(async (name) => {
    given.push(name);
    return answers[name]?.shift();
  });
  await store.signIn('a@b', 'c');
  expect(store.get()).toEqual({ phase: 'signedOut', error: null, busy: false, asked });
  await store.confirm(proof);
  expect(store.get()).toEqual({ phase: 'signedOut', error: 'That code is not right.', busy: false, asked });
  await store.confirm(proof);
  expect(store.get()).toEqual({ phase: 'ready', staff });
  expect(given).toEqual(['signInStaff', 'confirmSignIn', 'confirmSignIn']);
});

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
  const store = sessionStore(api, clock, () => localStorageOf(new Map()));
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

test('[CONSOLE-49] a sign-out removes the drafts of this person from the device; an ended session keeps them', async () => {
  const kept = new Map([
    ['draft_s_1', 'half a reply'],
    ['draft_s_2:note', 'half a note'],
    ['draft_other_1', 'of a colleague'],
    ['theme', 'dark'],
  ]);
  const { store } = setUp(async () => signedIn, kept);
  await store.load();
  store.ended();
  expect(kept.size).toBe(4);
  await store.load();
  await store.signOut();
  expect([...kept.keys()]).toEqual(['draft_other_1', 'theme']);
});
