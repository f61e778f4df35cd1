import { defaultBrand } from '@settee/protocol/model/brand';
import type { Dashboard } from '@settee/protocol/model/dashboard';
import { defaultSettings } from '@settee/protocol/model/staffSettings';
import { ana, type DeskParts, staffSession } from './aDesk.ts';
import { fakeChats } from './fakeChats.ts';
import type { Answers, FrameHandlers } from './fakeGateway.ts';

/** A dashboard without any traffic. */
export function aDashboard(different: Partial<Dashboard> = {}): Dashboard {
  return {
    period: '7days',
    now: Date.now(),
    messages: { visitors: 0, replies: 0, before: 0 },
    conversations: { count: 0, before: 0 },
    firstReply: { medianMs: null, beforeMs: null },
    waiting: { count: 0, longestSince: null, classes: [0, 0, 0, 0, 0], rows: [] },
    slots: [],
    handlers: [],
    invites: { created: 0, opened: 0, started: 0, replied: 0 },
    unopened: null,
    ...different,
  };
}

/** What the gateway answers to the admin area: an installation with one desk and without conversations. */
export function anAdmin(parts: DeskParts) {
  const session = staffSession({ ...parts, staff: { role: 'admin', ...parts.staff } });
  const conversations = fakeChats('staff', parts.chats ?? []);
  const settings = { ...defaultSettings, reopenDays: 7, keepDays: null };
  const brand = { ...defaultBrand, ...parts.brand };
  const desk = { alias: ana.alias ?? '', people: [ana.name] };
  const answers: Answers = {
    ...session.answers,
    ...conversations.answers,
    readCounts: { open: 0, handlers: 1 },
    readFirstSteps: { profile: true, handler: true, invite: true },
    readDashboard: ({ query }) => ({ dashboard: aDashboard({ period: query.period }) }),
    readInvites: { rows: [], next: null, counts: { NEW: 0, SEEN: 0, BOUND: 0, REVOKED: 0, EXPIRED: 0 } },
    listConversations: { rows: [], next: null, counts: { open: 0, waiting: 0, closed: 0, blocked: 0 } },
    searchMessages: { messages: [], complete: true },
    readPeople: { people: [], next: null },
    readLeftDesks: { desks: [] },
    readDesks: { desks: [{ ...desk, online: true }] },
    readDeskHours: { desks: [{ ...desk, hours: null }] },
    readProfileSettings: { brand, settings },
    readAudit: { entries: [], next: null, head: { count: 0, hash: '' } },
    readAuditChoices: { actors: [], actions: [] },
    readAccount: {
      account: {
        email: 'ana@example.org',
        name: session.staff.name,
        role: session.staff.role,
        totpSince: Date.now(),
        passkeys: [],
        recoveryCodesLeft: 10,
        otherSessions: 0,
      },
    },
    countExpired: { conversations: 0 },
    readNotes: { notes: [] },
    readAuthors: { authors: [] },
  };
  const frames: FrameHandlers<'staff'> = { ...conversations.frames, ...session.frames };
  return { staff: session.staff, answers, frames };
}
