import { randomBytes, randomUUID } from 'node:crypto';
import type { CallName } from '@settee/protocol/calls/http';
import { encryptAddress, hashMailCode } from '../../src/auth/mailSecrets.ts';
import { putPendingMail } from '../../src/db/mail/visitorMails.ts';
import { Authenticator } from '../authenticator.ts';
import { csrf, PASSWORD } from '../browser.ts';
import { codeOf, ticketFor, withApp } from '../factors.ts';
import type { Person } from '../people.ts';
import { png } from '../pictures.ts';
import { type CallerName, DESK, OTHER_DESK, type Stage } from './stage.ts';
import type { Expected, Who } from './who.ts';

type Made<T> = (stage: Stage, caller: CallerName) => T | Promise<T>;

/** Who may make a call, and a request that is valid for everyone who may. */
export type CallRule = {
  who: Who;
  /** Callers with another answer than `who` says. */
  but?: Partial<Record<CallerName, Expected>>;
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

export type CallRules = Partial<Record<CallName, CallRule>>;

const chat = ({ conversationId }: Stage) => ({ id: conversationId });
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
export const accountRules: CallRules = {
  confirmSignIn: { who: 'everybody', body: secondStep, withoutCookie: true },
  openPasswordLink: { who: 'everybody', body: async (stage) => ({ token: await linkToken(stage) }) },
  choosePassword: {
    who: 'everybody',
    body: async (stage) => ({ token: await linkToken(stage), password: 'chosen by whoever has the link' }),
    withoutCookie: true,
  },
  readAccount: { who: 'account' },
  confirmPassword: { who: 'account', body: () => ({ password: PASSWORD }) },
  changePassword: {
    who: 'account',
    body: () => ({ current: PASSWORD, password: 'another password for tests' }),
    ownAccount: true,
  },
  endSession: { who: 'account', params: otherSession, ownAccount: true },
  signOutElsewhere: { who: 'account', ownAccount: true },
  saveLanguage: { who: 'account', body: () => ({ language: 'de' }) },
  saveWaitingMail: { who: 'account', body: () => ({ on: false }) },
  beginTotp: {
    who: 'account',
    body: async ({ people }, caller) => void (await confirmed(people[caller])),
    ownAccount: true,
  },
  confirmTotp: { who: 'account', body: appOf, ownAccount: true },
  removeTotp: {
    who: 'account',
    body: async (stage, caller) => {
      await addApp(stage, caller);
      await addPasskey(stage, caller);
    },
    ownAccount: true,
  },
  beginPasskey: {
    who: 'account',
    body: async ({ people }, caller) => void (await confirmed(people[caller])),
    ownAccount: true,
  },
  addPasskey: { who: 'account', body: passkeyOf, ownAccount: true },
  renamePasskey: {
    who: 'account',
    params: addPasskey,
    body: () => ({ name: 'Another name' }),
    ownAccount: true,
  },
  removePasskey: {
    who: 'account',
    params: async (stage, caller) => {
      await addApp(stage, caller);
      return addPasskey(stage, caller);
    },
    ownAccount: true,
  },
  renewRecoveryCodes: {
    who: 'account',
    body: addApp,
    ownAccount: true,
  },
};

const person = ({ personId }: Stage) => ({ id: personId });
const link = ({ inviteId }: Stage) => ({ id: inviteId });

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
export const manageRules: CallRules = {
  // The first run; this installation has an administrator, so it is closed for everybody
  readSetup: { who: 'everybody' },
  setUp: {
    who: 'shut',
    body: () => ({ code: 'AAAA', name: 'X', email: 'x@settee.example', password: 'long enough a password' }),
  },
  readFirstSteps: { who: 'admin' },
  readCounts: { who: 'admin' },

  // The public profile
  readProfileSettings: { who: 'admin' },
  saveProfileSettings: { who: 'admin', body: () => ({ verified: true }) },
  setAvatar: { who: 'admin', bytes: () => png() },
  removeAvatar: { who: 'admin' },
  readMailFigures: { who: 'admin' },

  // Staff members
  readPeople: { who: 'admin' },
  addPerson: { who: 'admin', body: newPerson },
  changePerson: { who: 'admin', params: person, body: () => ({ person: newPerson() }), spends: true },
  readLeaving: { who: 'admin', params: person },
  deactivatePerson: { who: 'admin', params: person, spends: true },
  activatePerson: { who: 'admin', params: person },
  makePasswordLink: { who: 'admin', params: person },
  signOutEverywhere: { who: 'admin', params: person },
  resetFactor: { who: 'admin', params: person },
  readLeftDesks: { who: 'admin' },
  readDeskHours: { who: 'admin' },
  saveDeskHours: {
    who: 'admin',
    params: () => ({ alias: DESK }),
    body: () => ({
      hours: { timeZone: 'Europe/Berlin', week: [[{ from: 540, to: 1020 }], [], [], [], [], [], []] },
    }),
  },
  moveDesk: {
    who: 'admin',
    params: ({ spareDesk }) => ({ alias: spareDesk }),
    body: () => ({ to: OTHER_DESK }),
  },

  // Invites
  readInvites: { who: 'adminOrKey' },
  createInvites: { who: 'adminOrKey', body: newInvites },
  revokeInvites: { who: 'adminOrKey', body: ({ inviteId }) => ({ ids: [inviteId] }), spends: true },
  replaceLink: { who: 'admin', params: link, spends: true },
  resetCode: { who: 'admin', params: link },
  updateInvite: { who: 'admin', params: link, body: () => ({ label: 'Lyon', keepDays: 30 }) },

  // Conversations
  listConversations: { who: 'adminOrKey' },
  searchMessages: { who: 'admin', query: () => ({ q: 'hello' }) },
  reassignMany: {
    who: 'admin',
    body: ({ conversationId }) => ({ ids: [conversationId], alias: OTHER_DESK, note: '' }),
    spends: true,
  },
  closeMany: { who: 'admin', body: ({ conversationId }) => ({ ids: [conversationId] }), spends: true },
  exportConversation: { who: 'adminOrKey', params: chat },
  eraseConversation: { who: 'admin', params: chat, spends: true },
  countExpired: { who: 'admin', query: () => ({ days: '90' }) },

  // API keys
  readApiKeys: { who: 'admin' },
  createApiKey: { who: 'admin', body: () => ({ name: 'Shop', scopes: ['invites:write'], days: 90 }) },
  revokeApiKey: { who: 'admin', params: newKey },

  // Webhooks
  readWebhooks: { who: 'admin' },
  createWebhook: {
    who: 'admin',
    body: () => ({ url: 'https://hooks.example.org/settee', events: ['invite.opened'], withText: false }),
    spends: true,
  },
  changeWebhook: { who: 'admin', params: webhook, body: () => ({ state: 'paused' }) },
  deleteWebhook: { who: 'admin', params: webhook, spends: true },
  rotateWebhookSecret: { who: 'admin', params: webhook },
  readDeliveries: { who: 'admin', params: webhook },
  resendDelivery: {
    who: 'admin',
    params: webhook,
    body: lastPosition,
  },

  // The dashboard and the log
  readDashboard: { who: 'admin', query: () => ({ period: '7days', zone: 'Europe/Berlin' }) },
  readAudit: { who: 'admin' },
  readAuditChoices: { who: 'admin' },
};

const picture = ({ conversationId, mediaId }: Stage) => ({ id: conversationId, mediaId });
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

/** One line per call. A call that is not here fails the access matrix. */
export const callRules: CallRules = {
  // Signing in
  signInAnonymously: { who: 'everybody' },
  signInStaff: {
    who: 'everybody',
    body: ({ email }) => ({ email, password: PASSWORD }),
    withoutCookie: true,
  },
  readSignIn: { who: 'everybody' },
  refreshStaff: { who: 'staffCookie', body: () => ({ active: true }) },
  signOutStaff: { who: 'everybody', withoutCookie: true },

  // Invites and the public profile
  checkInvite: { who: 'everybody', params: ({ token }) => ({ token }) },
  seeInvite: { who: 'visitors', body: ({ freshToken }) => ({ token: freshToken }) },
  claimInvite: {
    who: 'visitors',
    body: ({ freshToken }) => ({ token: freshToken, csrf: csrf() }),
    spends: true,
  },
  attachInvite: { who: 'visitors', body: ({ token, code }) => ({ token, code, csrf: csrf() }), spends: true },
  readBrand: { who: 'everybody' },

  // The visitor
  readProfile: { who: 'visitors' },
  saveProfile: { who: 'visitors', body: () => ({ displayName: 'Visitor' }) },
  nameVisitor: { who: 'ownVisitor', params: chat, body: () => ({ visitorName: 'Visitor' }) },
  exportOwn: { who: 'ownVisitor', params: chat },
  eraseOwn: { who: 'ownVisitor', params: chat, spends: true },

  // Conversations
  renewCode: { who: 'bothSides', params: chat },
  readDevices: { who: 'bothSides', params: chat },
  // The device does not exist, so it counts as removed. Only access matters here.
  removeDevice: {
    who: 'bothSides',
    params: ({ conversationId }) => ({ id: conversationId, deviceId: 'none' }),
  },
  readConversation: { who: 'bothSides', params: chat },
  readMessages: { who: 'bothSides', params: chat },
  sendMessage: { who: 'bothSides', params: chat, body: words },
  beginUpload: { who: 'bothSides', params: chat, body: file },
  finishUpload: { who: 'sender', params: picture },
  cancelUpload: { who: 'sender', params: picture, spends: true },
  readMedia: { who: 'bothSides', params: sentPicture },
  // A caller with access to the conversation learns that this image is not theirs to send.
  sendMedia: {
    who: 'sender',
    but: { handler: 422, admin: 422 },
    params: picture,
    body: () => ({ id: randomUUID() }),
    spends: true,
  },

  // Notifications
  readPushKey: { who: 'everybody' },
  savePush: { who: 'persons', but: noDesk(403), body: ({ newBrowser }) => newBrowser() },
  dropPush: { who: 'persons', body: ({ newBrowser }) => ({ endpoint: newBrowser().endpoint }) },
  testPush: { who: 'persons', but: noDesk(422), body: subscribed },

  // E-mail
  readReplyMail: { who: 'ownVisitor', params: chat },
  saveReplyMail: {
    who: 'ownVisitor',
    params: chat,
    body: () => ({ address: `${randomUUID()}@example.com`, language: 'en' }),
  },
  confirmReplyMail: { who: 'ownVisitor', params: chat, body: mailedCode },
  dropReplyMail: { who: 'ownVisitor', params: chat },

  // Staff at their desks
  readQueue: { who: 'staff' },
  readClosed: { who: 'staff' },
  readDesks: { who: 'staff' },
  readHandler: { who: 'staff', but: noDesk(404) },
  setAvailability: { who: 'staff', body: () => ({ away: false }) },
  search: { who: 'staff', query: () => ({ q: 'hello' }) },
  setStatus: { who: 'ownDesk', params: chat, body: () => ({ status: 'closed' }), spends: true },
  markUnread: { who: 'ownDesk', params: chat, body: () => ({ unread: true }) },
  snooze: { who: 'ownDesk', params: chat, body: () => ({ until: Date.now() + 3_600_000 }) },
  readDetails: { who: 'ownDesk', params: chat },
  readAuthors: { who: 'ownDesk', params: chat, query: () => ({ from: '1', to: '50' }) },
  readNotes: { who: 'ownDesk', params: chat },
  addNote: { who: 'ownDesk', params: chat, body: words },
  transfer: { who: 'ownDesk', params: chat, body: () => ({ alias: OTHER_DESK, note: '' }), spends: true },
  readReplies: { who: 'staff' },
  saveReply: { who: 'staff', params: () => ({ id: randomUUID() }), body: newReply },
  // Only one's own replies exist for a handler. An administrator can delete any.
  deleteReply: {
    who: 'staff',
    but: { otherHandler: 404 },
    params: ({ replyId }) => ({ id: replyId }),
    spends: true,
  },

  ...accountRules,
  ...manageRules,
};
