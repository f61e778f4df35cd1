import { randomUUID } from 'node:crypto';
import type { Call } from '@settee/protocol/calls/call';
import { type CallName, calls } from '@settee/protocol/calls/http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { verifyAudit } from '../../src/audit/verifyAudit.ts';
import type { Hub } from '../../src/live/hub.ts';
import { ask } from '../access/ask.ts';
import { ruleOf } from '../access/calls.ts';
import { createCallers, type StaffCallers, type Stage, setStage, stageFor } from '../access/stage.ts';
import { still } from '../images/samples.ts';
import { handler, PASSWORD } from '../support/browser.ts';
import type { Reply } from '../support/harness.ts';
import { createChat, createStaff, type Person } from '../support/people.ts';
import { type PushWorld, startPushWorld } from '../support/pushWorld.ts';

/** The world in which a call is made: a handler at a desk with a conversation, and an administrator. */
type World = {
  push: PushWorld;
  handler: Person;
  admin: Person;
  conversationId: string;
  /** Unique in each world. */
  name: string;
};

/** The audit entry of a successful call, or the reason for none. */
type Audited =
  | { action: string; perform(world: World): Promise<Reply>; by?: 'handler' | 'admin' }
  /** By an administrator, with the request of the access matrix. */
  | { action: string; asInMatrix: true }
  | { not: string };

const OWN_RECORD = 'a message is its own record: who wrote it, and when, is kept with it';
const IMAGE_STEP = 'a step on the way to a message, which is its own record';
const LOOKING = 'one’s own place in reading, which changes nothing for anyone else';

/**
 * Every call that changes something and is not only for visitors. A missing call fails the test: add the action that it
 * writes and how to make it, or the reason why it writes none.
 */
const auditedCalls: Partial<Record<CallName, Audited>> = {
  // Visitors and staff
  signInAnonymously: { not: 'a visitor’s' },
  sendMessage: { not: OWN_RECORD },
  beginUpload: { not: IMAGE_STEP },
  finishUpload: { not: IMAGE_STEP },
  cancelUpload: { not: IMAGE_STEP },
  sendMedia: { not: OWN_RECORD },
  renewCode: {
    action: 'code.renew',
    perform: ({ handler, conversationId }) =>
      handler.call('POST', `/conversations/${conversationId}/continueCode`),
  },
  removeDevice: {
    action: 'device.remove',
    async perform({ handler, conversationId }) {
      const path = `/conversations/${conversationId}/devices`;
      const { body } = await handler.call('GET', path);
      return handler.call('DELETE', `${path}/${body.devices[0].id}`);
    },
  },
  savePush: {
    action: 'push.enable',
    perform: ({ handler, push, name }) =>
      handler.call('PUT', '/push/subscription', push.service.subscription(name)),
  },
  dropPush: {
    action: 'push.disable',
    async perform({ handler, push, name }) {
      await push.subscribe(handler, name);
      return handler.call('POST', '/push/unsubscribe', { endpoint: push.service.endpointFor(name) });
    },
  },
  testPush: { not: 'shows a notification to whoever asks, and changes nothing' },

  // Staff
  signInStaff: {
    action: 'staff.signIn',
    async perform({ push: { server }, handler: person }) {
      const { email } = await handler(server);
      const reply = await person.browser.call('POST', '/auth/staff/sign-in', { email, password: PASSWORD });
      person.browser.token = reply.body.idToken;
      return reply;
    },
  },
  refreshStaff: { not: 'what a page does by itself, every hour' },
  signOutStaff: {
    action: 'staff.signOut',
    perform: ({ handler }) => handler.call('POST', '/auth/staff/sign-out'),
  },
  setStatus: {
    action: 'conversation.close',
    perform: ({ handler, conversationId }) =>
      handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'closed' }),
  },
  markUnread: { not: LOOKING },
  snooze: { not: LOOKING },
  addNote: {
    action: 'note.add',
    perform: ({ handler, conversationId }) =>
      handler.call('POST', `/conversations/${conversationId}/notes`, { id: randomUUID(), text: 'hush' }),
  },
  transfer: {
    action: 'conversation.transfer',
    async perform({ push: { server }, handler, conversationId, name }) {
      await createStaff(server, `${name}-heir`);
      const body = { alias: `${name}-heir`, note: '' };
      return handler.call('POST', `/conversations/${conversationId}/transfer`, body);
    },
  },
  saveReply: {
    action: 'reply.save',
    perform: ({ handler, name }) =>
      handler.call('PUT', `/replies/${randomUUID()}`, { shortcut: name, text: 'Hello', shared: true }),
  },
  deleteReply: {
    action: 'reply.delete',
    async perform({ handler, name }) {
      const path = `/replies/${randomUUID()}`;
      await handler.call('PUT', path, { shortcut: name, text: 'Hello', shared: true });
      return handler.call('DELETE', path);
    },
  },
  setAvailability: {
    action: 'availability.away',
    perform: ({ handler }) => handler.call('PUT', '/handlers/me/availability', { away: true }),
  },
  setDeskOff: {
    action: 'availability.away',
    async perform({ push: { server }, handler, name }) {
      const other = `${name}-other`;
      await createStaff(server, other);
      const add = 'insert into desk_staff select $1, id from staff where alias = $2';
      await server.app.db.pool.query(add, [other, name]);
      return handler.call('PUT', `/handlers/me/desks/${other}`, { off: true });
    },
  },

  saveWaitingMail: {
    action: 'mail.enable',
    perform: ({ handler }) => handler.call('PUT', '/account/waiting-mail', { on: true }),
  },

  saveLanguage: { not: 'one’s own display, which changes nothing for anyone else' },

  // The public profile
  saveProfileSettings: {
    action: 'brand.set',
    by: 'admin',
    perform: ({ admin, name }) => admin.call('PUT', '/manage/profile', { displayName: name }),
  },
  setAvatar: {
    action: 'avatar.set',
    by: 'admin',
    perform: async ({ admin }) =>
      admin.browser.call('PUT', '/manage/profile/avatar', await still('png'), {
        'content-type': 'image/png',
      }),
  },
  removeAvatar: {
    action: 'avatar.remove',
    by: 'admin',
    perform: ({ admin }) => admin.call('DELETE', '/manage/profile/avatar'),
  },

  createProfile: { action: 'profile.create', asInMatrix: true },
  archiveProfile: { action: 'profile.archive', asInMatrix: true },
  unarchiveProfile: { action: 'profile.unarchive', asInMatrix: true },

  // Sign-in and one's own account
  confirmSignIn: { not: 'ends as a sign-in does: its lines are looked at in secondFactor.int.test.ts' },
  setUp: { not: 'nobody is signed in yet: its lines are looked at in setup.int.test.ts' },
  openPasswordLink: { not: 'a look at a link' },
  choosePassword: { not: 'by whoever holds the link: its line is looked at in staffAdmin.int.test.ts' },
  confirmPassword: { not: 'says only again who sits there' },
  beginTotp: { not: 'asks; what is confirmed is in the log' },
  beginPasskey: { not: 'asks; what is added is in the log' },
  changePassword: { action: 'password.change', asInMatrix: true },
  endSession: { action: 'staff.signOut', asInMatrix: true },
  signOutElsewhere: { action: 'staff.signOut', asInMatrix: true },
  confirmTotp: { action: 'factor.add', asInMatrix: true },
  removeTotp: { action: 'factor.remove', asInMatrix: true },
  addPasskey: { action: 'factor.add', asInMatrix: true },
  renamePasskey: { action: 'factor.rename', asInMatrix: true },
  removePasskey: { action: 'factor.remove', asInMatrix: true },
  renewRecoveryCodes: { action: 'recovery.renew', asInMatrix: true },

  // Staff members
  addPerson: { action: 'staff.create', asInMatrix: true },
  changePerson: { action: 'staff.update', asInMatrix: true },
  deactivatePerson: { action: 'staff.deactivate', asInMatrix: true },
  activatePerson: {
    action: 'staff.activate',
    by: 'admin',
    async perform({ admin, name }) {
      const person = { name, email: `${name}@settee.example`, role: 'handler', alias: `${name}-new` };
      const { id } = (await admin.call('POST', '/manage/staff', person)).body;
      await admin.call('POST', `/manage/staff/${id}/deactivate`);
      return admin.call('POST', `/manage/staff/${id}/activate`);
    },
  },
  makePasswordLink: { action: 'staff.passwordLink', asInMatrix: true },
  signOutEverywhere: { action: 'staff.signOutEverywhere', asInMatrix: true },
  resetFactor: { action: 'factor.reset', asInMatrix: true },
  saveDeskHours: { action: 'hours.set', asInMatrix: true },
  moveDesk: { not: 'what moved has its own lines: they are looked at in staffAdmin.int.test.ts' },

  // Invites
  createInvites: { action: 'invite.create', asInMatrix: true },
  revokeInvites: { action: 'invite.revoke', asInMatrix: true },
  replaceLink: { action: 'invite.replaceLink', asInMatrix: true },
  resetCode: { action: 'invite.resetCode', asInMatrix: true },
  updateInvite: { action: 'invite.update', asInMatrix: true },

  // API keys
  createApiKey: { action: 'key.create', asInMatrix: true },
  revokeApiKey: { action: 'key.revoke', asInMatrix: true },

  // Webhooks
  createWebhook: { action: 'webhook.create', asInMatrix: true },
  changeWebhook: { action: 'webhook.update', asInMatrix: true },
  deleteWebhook: { action: 'webhook.delete', asInMatrix: true },
  rotateWebhookSecret: { action: 'webhook.rotate', asInMatrix: true },
  resendDelivery: { action: 'webhook.resend', asInMatrix: true },

  // Conversations
  reassignMany: { action: 'conversation.transfer', asInMatrix: true },
  closeMany: { action: 'conversation.close', asInMatrix: true },
  eraseConversation: { action: 'conversation.erase', asInMatrix: true },
};

let push: PushWorld;
let staff: StaffCallers;
let shared: Stage;
/** When open audit pages were last asked to reload. */
let announcedAt = 0;
beforeAll(async () => {
  push = await startPushWorld();
  const { management } = push.server.app.announce as Hub;
  vi.spyOn(management, 'touch').mockImplementation((...topics) => {
    if (topics.includes('audit')) announcedAt = Date.now();
  });
  staff = await createCallers(push.server);
  shared = await setStage(push, staff);
});
afterAll(() => push.stop());

/** Calls that change something and are not only for visitors. */
const changing = Object.entries<Call>(calls)
  .filter(([, call]) => call.method !== 'GET' && call.auth !== 'visitor')
  .map(([name]) => name);
const table: Record<string, Audited> = auditedCalls;

test('[AUDIT-03] every call that changes something is in the audit log, or has a listed reason', () => {
  expect(changing.filter((name) => table[name] === undefined)).toEqual([]);
  expect(Object.keys(table).filter((name) => !changing.includes(name))).toEqual([]);
});

/** The caller and the action. */
async function prepare(name: CallName, audited: Exclude<Audited, { not: string }>) {
  if ('perform' in audited) {
    const alias = `a${randomUUID().slice(0, 8)}`;
    const [handler, { admin }] = [await createStaff(push.server, alias), staff];
    const { conversationId } = await createChat(push.server, alias);
    const world: World = { push, handler, admin, conversationId, name: alias };
    return { who: world[audited.by ?? 'handler'], perform: () => audited.perform(world) };
  }
  const rule = ruleOf(name);
  const stage = await stageFor(rule, shared, 'admin');
  return { who: stage.people.admin, perform: () => ask(calls[name], rule, stage, 'admin') };
}

/** The staff id of this person. */
async function staffIdOf({ browser }: Person): Promise<string> {
  const reply = await browser.copy().call('POST', '/auth/staff/refresh');
  return reply.body.staff.staffId as string;
}

describe('[AUDIT-03] every change is in the audit log, under the name of its author, and on open audit pages', () => {
  for (const name of changing) {
    const audited = table[name];
    if (audited === undefined || 'not' in audited) continue;
    test(`${name}: ${audited.action}`, async () => {
      const { pool } = push.server.app.db;
      const { who, perform } = await prepare(name as CallName, audited);
      const before = (await pool.query('select count from audit_head')).rows[0].count;
      const former = await staffIdOf(who);
      const reply = await perform();
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      const { rows } = await pool.query(
        'select actor, details, at from audit where id > $1 and action = $2 order by id',
        [before, audited.action],
      );
      const now = name === 'signInStaff' ? await staffIdOf(who) : former;
      expect(rows.filter((row) => row.actor === now)).toHaveLength(1);
      expect(announcedAt).toBeGreaterThanOrEqual(rows.at(-1).at.getTime());
      expect(JSON.stringify(rows)).not.toContain('hush');
    });
  }

  test('and the chain is intact', async () => {
    expect(await verifyAudit(push.server.app)).toMatchObject({ whole: true });
  });
});
