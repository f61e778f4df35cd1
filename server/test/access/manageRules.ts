import { randomUUID } from 'node:crypto';
import { png } from '../pictures.ts';
import { DESK, OTHER_DESK } from './callers.ts';
import type { CallRules } from './rule.ts';
import type { Stage } from './stage.ts';

const chat = ({ conversationId }: Stage) => ({ id: conversationId });
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
