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

/** Calls for administrators only. */
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
  readInvites: { who: 'admin' },
  createInvites: { who: 'admin', body: newInvites },
  revokeInvites: { who: 'admin', body: ({ inviteId }) => ({ ids: [inviteId] }), spends: true },
  replaceLink: { who: 'admin', params: link, spends: true },
  resetCode: { who: 'admin', params: link },
  updateInvite: { who: 'admin', params: link, body: () => ({ label: 'Lyon', keepDays: 30 }) },

  // Conversations
  listConversations: { who: 'admin' },
  searchMessages: { who: 'admin', query: () => ({ q: 'hello' }) },
  reassignMany: {
    who: 'admin',
    body: ({ conversationId }) => ({ ids: [conversationId], alias: OTHER_DESK, note: '' }),
    spends: true,
  },
  closeMany: { who: 'admin', body: ({ conversationId }) => ({ ids: [conversationId] }), spends: true },
  exportConversation: { who: 'admin', params: chat },
  eraseConversation: { who: 'admin', params: chat, spends: true },
  countExpired: { who: 'admin', query: () => ({ days: '90' }) },

  // The dashboard and the log
  readDashboard: { who: 'admin', query: () => ({ period: '7days', zone: 'Europe/Berlin' }) },
  readAudit: { who: 'admin' },
  readAuditChoices: { who: 'admin' },
};
