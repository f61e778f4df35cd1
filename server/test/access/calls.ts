import { randomBytes, randomUUID } from 'node:crypto';
import type { Call } from '@settee/protocol/calls/call';
import { type Body, type CallName, calls } from '@settee/protocol/calls/http';
import { encryptAddress, hashMailCode } from '../../src/mail/mailSecrets.ts';
import { putPendingMail } from '../../src/mail/visitorMails.store.ts';
import { Authenticator } from '../support/authenticator.ts';
import { csrf, PASSWORD } from '../support/browser.ts';
import { codeOf, ticketFor, withApp } from '../support/factors.ts';
import type { Person } from '../support/people.ts';
import { png } from '../support/pictures.ts';
import { type CallerName, DESK, OTHER_DESK, type Stage } from './stage.ts';
import type { Expected, Who } from './who.ts';

type Made<T> = (stage: Stage, caller: CallerName) => T | Promise<T>;

/** A request that is valid for everyone who may make the call. */
type Example = {
  /** If it does not follow from the declaration of the call. */
  who?: Who;
  /** Callers with another answer than `who` says. */
  but?: Partial<Record<CallerName, Expected>>;
  /** If the path has others than those in `pathParams`. */
  params?: Made<Record<string, string>>;
  query?: Made<Record<string, string>>;
  body?: Made<unknown>;
  /** Instead of a JSON body. */
  bytes?: () => Promise<Buffer>;
  /** Cannot be repeated, or changes the shared stage: each caller gets a new one. */
  spends?: true;
  /** Changes the caller's account or ends its sessions: a new caller of this kind makes the call. */
  ownAccount?: true;
  /** With the cookie, the call would end the caller's own session. */
  withoutCookie?: true;
};
type Examples = { [N in CallName]?: Example };
type CallWithBody = { [N in CallName]: Body<N> extends undefined ? never : N }[CallName];

export type CallRule = Example & { who: Who };

const NOTHING = '00000000-0000-4000-8000-000000000000';

/**
 * Confirms the password, as changes of factors require. A caller without the right is refused here, and then at the
 * call.
 */
async function confirmed(person: Person): Promise<Person> {
  await person.call('POST', '/account/password/confirm', { password: PASSWORD });
  return person;
}

async function appOf({ server, people }: Stage, caller: CallerName) {
  const person = await confirmed(people[caller]);
  const { ticket = 'x', secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' } = (
    await person.call('POST', '/account/totp/begin')
  ).body;
  return { ticket: ticket as string, code: codeOf(server, secret) };
}

async function addApp(stage: Stage, caller: CallerName): Promise<void> {
  await stage.people[caller].call('PUT', '/account/totp', await appOf(stage, caller));
}

async function passkeyOf({ server, people }: Stage, caller: CallerName) {
  const { body } = await (await confirmed(people[caller])).call('POST', '/account/passkeys/begin');
  const options = body.options ?? { challenge: 'AAAA', rp: { id: 'settee.test', name: 'Settee' } };
  const response = new Authenticator(server.app.config.publicUrl).make(options);
  return { ticket: body.ticket ?? 'x', name: 'Key', response };
}

async function addPasskey(stage: Stage, caller: CallerName): Promise<{ id: string }> {
  const person = stage.people[caller];
  await person.call('POST', '/account/passkeys', await passkeyOf(stage, caller));
  const { body } = await person.call('GET', '/account');
  return { id: body.account?.passkeys.at(-1)?.id ?? NOTHING };
}

/** Another session of the caller's account. */
async function otherSession({ server, people }: Stage, caller: CallerName): Promise<{ id: string }> {
  const { account } = (await people[caller].call('GET', '/account')).body;
  const { rows } = await server.app.db.pool.query<{ id: string }>(
    `insert into staff_sessions (token_hash, staff_id, expires_at)
     select sha256(gen_random_uuid()::text::bytea), staff_id, expires_at from staff_sessions where id = $1
     returning id`,
    [account?.sessions[0].id ?? NOTHING],
  );
  return rows[0] ?? { id: NOTHING };
}

/** The token of a password link. */
async function linkToken({ people, personId }: Stage) {
  const { body } = await people.admin.call('POST', `/manage/staff/${personId}/password-link`);
  return body.link.slice(body.link.lastIndexOf('#') + 1);
}

/** Ticket and proof for the second step of a sign-in. They work for any caller. */
async function secondStep({ server }: Stage) {
  const { email, recoveryCodes } = await withApp(server, 'handler');
  return { ticket: await ticketFor(server, email), proof: { method: 'recovery', code: recoveryCodes[0] } };
}

/** Calls for a staff member's own account and sign-in. */
const accountExamples = {
  confirmSignIn: { body: secondStep, withoutCookie: true },
  openPasswordLink: { body: async (stage) => ({ token: await linkToken(stage) }) },
  choosePassword: {
    body: async (stage) => ({ token: await linkToken(stage), password: 'chosen by whoever has the link' }),
    withoutCookie: true,
  },
  confirmPassword: { body: () => ({ password: PASSWORD }) },
  changePassword: {
    body: () => ({ current: PASSWORD, password: 'another password for tests' }),
    ownAccount: true,
  },
  endSession: { params: otherSession, ownAccount: true },
  signOutElsewhere: { ownAccount: true },
  saveLanguage: { body: () => ({ language: 'de' }) },
  saveWaitingMail: { body: () => ({ on: false }) },
  beginTotp: { body: async ({ people }, caller) => void (await confirmed(people[caller])), ownAccount: true },
  confirmTotp: { body: appOf, ownAccount: true },
  removeTotp: {
    body: async (stage, caller) => {
      await addApp(stage, caller);
      await addPasskey(stage, caller);
    },
    ownAccount: true,
  },
  beginPasskey: {
    body: async ({ people }, caller) => void (await confirmed(people[caller])),
    ownAccount: true,
  },
  addPasskey: { body: passkeyOf, ownAccount: true },
  renamePasskey: { params: addPasskey, body: () => ({ name: 'Another name' }), ownAccount: true },
  removePasskey: {
    params: async (stage, caller) => {
      await addApp(stage, caller);
      return addPasskey(stage, caller);
    },
    ownAccount: true,
  },
  renewRecoveryCodes: { body: addApp, ownAccount: true },
} satisfies Examples;

function newPerson() {
  return { name: 'Newcomer', email: `${randomUUID()}@settee.example`, role: 'handler', alias: OTHER_DESK };
}

function newInvites() {
  const invite = { id: randomUUID(), label: 'Lyon', alias: DESK, days: 30, keepDays: null };
  return { batchId: randomUUID(), attempt: 1, invites: [invite] };
}

/** A webhook with a delivery, instead of earlier ones: an installation has few. */
async function webhook({ server }: Stage): Promise<{ id: string }> {
  const { pool } = server.app.db;
  await pool.query('delete from webhook_endpoints');
  const { rows } = await pool.query(
    `insert into webhook_endpoints (url, events, with_text, secret)
     values ('https://hooks.example.org/settee', '{invite.opened}', false, '') returning id`,
  );
  await pool.query(
    `insert into webhook_deliveries (endpoint_id, type, at, invite_id)
     values ($1, 'invite.opened', now(), gen_random_uuid())`,
    [rows[0].id],
  );
  return rows[0];
}

async function otherProfile({ server }: Stage, archivedAt: Date | null): Promise<{ slug: string }> {
  const slug = `p${randomBytes(6).toString('hex')}`;
  await server.app.db.pool.query('insert into profiles (slug, archived_at) values ($1, $2)', [
    slug,
    archivedAt,
  ]);
  return { slug };
}

async function lastPosition({ server }: Stage): Promise<{ position: number }> {
  const { rows } = await server.app.db.pool.query(
    'select max(position)::integer as position from webhook_deliveries',
  );
  return rows[0];
}

/** A key to revoke. Only an administrator can create one. */
async function newKey({ people }: Stage): Promise<{ id: string }> {
  const draft = { name: 'Old shop', scopes: ['invites:read'], days: null };
  return (await people.admin.call('POST', '/manage/keys', draft)).body.key;
}

/** Calls for administrators only, or also for programs with a key. */
const manageExamples = {
  // The first run; this installation has an administrator, so it is closed for everybody
  setUp: {
    who: 'shut',
    body: () => ({ code: 'AAAA', name: 'X', email: 'x@settee.example', password: 'long enough a password' }),
  },

  // The public profile
  saveProfileSettings: { body: () => ({ verified: true }) },
  createProfile: { body: () => ({ displayName: 'Mara Vale', slug: `p${randomBytes(6).toString('hex')}` }) },
  archiveProfile: { params: (stage) => otherProfile(stage, null) },
  unarchiveProfile: { params: (stage) => otherProfile(stage, new Date()) },
  setAvatar: { bytes: () => png() },

  // Staff members
  addPerson: { body: newPerson },
  changePerson: { body: () => ({ person: newPerson() }), spends: true },
  deactivatePerson: { spends: true },
  saveDeskHours: {
    params: () => ({ alias: DESK }),
    body: () => ({
      hours: { timeZone: 'Europe/Berlin', week: [[{ from: 540, to: 1020 }], [], [], [], [], [], []] },
    }),
  },
  moveDesk: { params: ({ spareDesk }) => ({ alias: spareDesk }), body: () => ({ to: OTHER_DESK }) },

  // Invites
  createInvites: { body: newInvites },
  revokeInvites: { body: ({ inviteId }) => ({ ids: [inviteId] }), spends: true },
  replaceLink: { spends: true },
  updateInvite: { body: () => ({ label: 'Lyon', keepDays: 30 }) },

  // Conversations
  searchMessages: { query: () => ({ q: 'hello' }) },
  reassignMany: {
    body: ({ conversationId }) => ({ ids: [conversationId], alias: OTHER_DESK, note: '' }),
    spends: true,
  },
  closeMany: { body: ({ conversationId }) => ({ ids: [conversationId] }), spends: true },
  eraseConversation: { spends: true },
  countExpired: { query: () => ({ days: '90' }) },

  // API keys
  createApiKey: { body: () => ({ name: 'Shop', scopes: ['invites:write'], days: 90 }) },
  revokeApiKey: { params: newKey },

  // Webhooks
  createWebhook: {
    body: () => ({ url: 'https://hooks.example.org/settee', events: ['invite.opened'], withText: false }),
    spends: true,
  },
  changeWebhook: { body: () => ({ state: 'paused' }) },
  deleteWebhook: { spends: true },
  resendDelivery: { body: lastPosition },

  // The dashboard and the log
  readDashboard: { query: () => ({ period: '7days', zone: 'Europe/Berlin' }) },
} satisfies Examples;

const sentPicture = ({ conversationId, sentMediaId }: Stage) => ({
  id: conversationId,
  mediaId: sentMediaId,
});
const file = () => ({ mediaId: randomUUID(), type: 'image/png', bytes: 9, fileName: 'cat.png' });
const words = () => ({ id: randomUUID(), text: 'hello' });
const newReply = () => ({ shortcut: `s${randomBytes(4).toString('hex')}`, text: 'Yes.', shared: false });

/** The endpoint that this caller has subscribed, if the caller may subscribe. */
async function subscribed({ people, newBrowser }: Stage, caller: CallerName): Promise<{ endpoint: string }> {
  const browser = newBrowser();
  await people[caller].call('PUT', '/push/subscription', browser);
  return { endpoint: browser.endpoint };
}

/** A code, as if the visitor had got it by e-mail. */
async function mailedCode({ server: { app }, people, conversationId }: Stage): Promise<{ code: string }> {
  const code = '123456';
  await putPendingMail(app.db, {
    conversationId,
    visitorId: people.visitor.browser.visitorId,
    pending: encryptAddress(app, conversationId, 'visitor@example.com'),
    codeHash: hashMailCode(app, conversationId, code),
    language: 'en',
  });
  return { code };
}

/** An administrator without a desk gets no notifications. */
const noDesk = (status: number) => ({ admin: status }) as const;

/** A call without an entry needs no more than its path. One with a body and without an entry does not compile. */
const examples: Examples & Record<CallWithBody, Example> = {
  // Signing in
  signInStaff: { body: ({ email }) => ({ email, password: PASSWORD }), withoutCookie: true },
  refreshStaff: { body: () => ({ active: true }) },
  signOutStaff: { withoutCookie: true },

  // Invites and the public profile
  checkInvite: { params: ({ token }) => ({ token }) },
  seeInvite: { body: ({ freshToken }) => ({ token: freshToken }) },
  claimInvite: { body: ({ freshToken }) => ({ token: freshToken, csrf: csrf() }), spends: true },
  attachInvite: { body: ({ token, code }) => ({ token, code, csrf: csrf() }), spends: true },

  // The visitor
  saveProfile: { body: () => ({ displayName: 'Visitor' }) },
  nameVisitor: { body: () => ({ visitorName: 'Visitor' }) },
  eraseOwn: { spends: true },

  // Conversations
  // The device does not exist, so it counts as removed. Only access matters here.
  removeDevice: { params: ({ conversationId }) => ({ id: conversationId, deviceId: 'none' }) },
  sendMessage: { body: words },
  beginUpload: { body: file },
  finishUpload: { who: 'sender' },
  cancelUpload: { who: 'sender', spends: true },
  readMedia: { params: sentPicture },
  // A caller with access to the conversation learns that this image is not theirs to send.
  sendMedia: {
    who: 'sender',
    but: { handler: 422, admin: 422 },
    body: () => ({ id: randomUUID() }),
    spends: true,
  },

  // Notifications
  savePush: { but: noDesk(403), body: ({ newBrowser }) => newBrowser() },
  dropPush: { body: ({ newBrowser }) => ({ endpoint: newBrowser().endpoint }) },
  testPush: { but: noDesk(422), body: subscribed },

  // E-mail
  saveReplyMail: { body: () => ({ address: `${randomUUID()}@example.com`, language: 'en' }) },
  confirmReplyMail: { body: mailedCode },

  // Staff at their desks
  readHandler: { but: noDesk(404) },
  setAvailability: { body: () => ({ away: false }) },
  setDeskOff: {
    but: { otherHandler: 404, admin: 404 },
    params: () => ({ alias: DESK }),
    body: () => ({ off: false }),
  },
  search: { query: () => ({ q: 'hello' }) },
  setStatus: { body: () => ({ status: 'closed' }), spends: true },
  markUnread: { body: () => ({ unread: true }) },
  snooze: { body: () => ({ until: Date.now() + 3_600_000 }) },
  readAuthors: { query: () => ({ from: '1', to: '50' }) },
  addNote: { body: words },
  transfer: { body: () => ({ alias: OTHER_DESK, note: '' }), spends: true },
  saveReply: { params: () => ({ id: randomUUID() }), body: newReply },
  // Only one's own replies exist for a handler. An administrator can delete any.
  deleteReply: { but: { otherHandler: 404 }, params: ({ replyId }) => ({ id: replyId }), spends: true },

  ...accountExamples,
  ...manageExamples,
};

const pathParams: [path: string, params: Made<Record<string, string>>][] = [
  ['/conversations/:id/media/:mediaId', ({ conversationId, mediaId }) => ({ id: conversationId, mediaId })],
  ['/conversations/:id', ({ conversationId }) => ({ id: conversationId })],
  ['/manage/conversations/:id', ({ conversationId }) => ({ id: conversationId })],
  ['/manage/staff/:id', ({ personId }) => ({ id: personId })],
  ['/manage/invites/:id', ({ inviteId }) => ({ id: inviteId })],
  ['/manage/webhooks/:id', webhook],
];

export function ruleOf(name: CallName): CallRule {
  const call: Call = calls[name];
  const params = pathParams.find(([path]) => call.path.startsWith(path))?.[1];
  return { who: whoMay(call), ...(params && { params }), ...(examples as Examples)[name] };
}

function whoMay({ auth, path, scope, refusals }: Call): Who {
  const inChat = path.startsWith('/conversations/:id');
  if (auth === 'none') return 'everybody';
  if (auth === 'cookie') return refusals?.includes('unauthenticated') ? 'staffCookie' : 'everybody';
  if (auth === 'visitor') return inChat ? 'ownVisitor' : 'visitors';
  if (auth === 'any') return inChat ? 'bothSides' : 'persons';
  if (auth === 'staff') return inChat ? 'ownDesk' : 'staff';
  return auth === 'admin' && scope !== undefined ? 'adminOrKey' : auth;
}
