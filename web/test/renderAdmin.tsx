import { AuditEntry } from '@settee/protocol/calls/auditCalls';
import { AdminRow } from '@settee/protocol/calls/conversationAdminCalls';
import { defaultBrand } from '@settee/protocol/model/brand';
import { ManagedInvite } from '@settee/protocol/model/managedInvite';
import { MAIN, type ManagedProfile } from '@settee/protocol/model/profile';
import { defaultSettings } from '@settee/protocol/model/staffSettings';
import * as v from 'valibot';
import { expect } from 'vitest';
import { render } from 'vitest-browser-react';
import { AdminApp } from '../src/admin/AdminApp.tsx';
import { sessionStore } from '../src/staff/session.ts';
import { aDashboard } from './aDashboard.ts';
import { aDesk, ana, type DeskChat, type DeskParts, staffSession } from './aDesk.ts';
import { appRoot, goTo } from './browser.ts';
import { fakeChats, idOf } from './chats.ts';
import { type Answers, type FrameHandlers, fakeGateway } from './fakeGateway.ts';

const DAY_MS = 86_400_000;

/** An invite that nobody has opened. Its id is `idOf(label)`. */
export function anInvite(label: string, different: Partial<ManagedInvite> = {}): ManagedInvite {
  return {
    ...v.getDefaults(ManagedInvite),
    id: idOf(label),
    label,
    state: 'NEW',
    handlerAlias: ana.alias ?? '',
    createdAt: Date.now() - DAY_MS,
    expiresAt: Date.now() + 29 * DAY_MS,
    seenAt: null,
    boundAt: null,
    revokedAt: null,
    keepDays: null,
    conversation: null,
    ...different,
  };
}

/** Filters these invites by state, as the server does. */
export function inviteList(invites: readonly ManagedInvite[]): Required<Answers>['readInvites'] {
  const count = (state: ManagedInvite['state']) => invites.filter((invite) => invite.state === state).length;
  return ({ query }) => ({
    rows: invites.filter(({ state }) => query.state === undefined || state === query.state),
    next: null,
    counts: {
      NEW: count('NEW'),
      SEEN: count('SEEN'),
      BOUND: count('BOUND'),
      REVOKED: count('REVOKED'),
      EXPIRED: count('EXPIRED'),
    },
  });
}

/** Creates every invite of a call, each with its own link. */
const createInvites: Required<Answers>['createInvites'] = ({ body }) => ({
  links: body.invites.map(({ id, days }) => ({
    id,
    link: `https://chat.example/i/c1${id.replaceAll('-', '')}`,
    expiresAt: Date.now() + days * DAY_MS,
  })),
});

/** An entry of the audit log: Ana signed in, a minute ago. */
export function anAuditEntry(id: number, different: Partial<AuditEntry> = {}): AuditEntry {
  const who = { id: ana.staffId, name: ana.name };
  return {
    ...v.getDefaults(AuditEntry),
    id,
    at: Date.now() - 60_000,
    actor: { kind: 'staff', ...who },
    action: 'staff.signIn',
    target: { kind: 'person', ...who },
    details: {},
    ...different,
  };
}

/** Filters these entries by action and text, as the server does. */
export function auditLog(entries: readonly AuditEntry[]): Required<Answers>['readAudit'] {
  return ({ query: { action, q = '' } }) => ({
    entries: entries.filter(
      (entry) => (action === undefined || entry.action === action) && JSON.stringify(entry).includes(q),
    ),
    next: null,
    head: { count: entries.length, hash: 'e3b0c442'.repeat(8) },
  });
}

/** Filters these conversations, as the server does. */
function conversationList(chats: readonly DeskChat[]): Required<Answers>['listConversations'] {
  return ({ query: { show, alias, q = '' } }) => {
    const rows = chats.map(
      ({ row, conversation: { handlerAlias, status } }): AdminRow => ({
        ...v.getDefaults(AdminRow),
        ...row,
        handlerAlias,
        status,
        closedAt: status === 'open' ? null : row.lastMessageAt,
      }),
    );
    const isWaiting = (row: AdminRow) => row.status === 'open' && row.waitingSince !== null;
    const shows = (row: AdminRow) =>
      show === undefined || (show === 'waiting' ? isWaiting(row) : row.status === show);
    const count = (status: AdminRow['status']) => rows.filter((row) => row.status === status).length;
    return {
      rows: rows.filter(
        (row) =>
          shows(row) && (alias === undefined || row.handlerAlias === alias) && row.visitorName.includes(q),
      ),
      next: null,
      ...(q === '' && {
        counts: {
          open: count('open'),
          waiting: rows.filter(isWaiting).length,
          closed: count('closed'),
          blocked: count('blocked'),
        },
      }),
    };
  };
}

/** A profile with one desk, where Ana is on duty. */
export function aProfile(slug: string, different: Partial<ManagedProfile> = {}): ManagedProfile {
  const load = { online: true, open: 0, waitingSince: null };
  const alias = slug === MAIN ? (ana.alias ?? '') : slug;
  return {
    ...{ slug, displayName: slug, avatarUrl: null, verified: false, archivedAt: null },
    ...load,
    desks: [{ alias, name: null, people: [ana.name], onDuty: [ana.name], ...load }],
    ...different,
  };
}

/** What the gateway answers to the admin area: an installation with one desk and without conversations. */
export function anAdmin(parts: DeskParts) {
  const session = staffSession({ ...parts, staff: { role: 'admin', ...parts.staff } });
  const chats = parts.chats ?? [];
  const conversations = fakeChats('staff', chats);
  const { readDetails, setStatus } = aDesk({ ...parts, chats }).answers;
  const settings = { ...defaultSettings, reopenDays: 7, keepDays: null };
  const brand = { ...defaultBrand, ...parts.brand };
  const desk = { alias: ana.alias ?? '', people: [ana.name] };
  const answers: Answers = {
    ...session.answers,
    ...conversations.answers,
    readCounts: { open: 0, handlers: 1 },
    readFirstSteps: { profile: true, handler: true, invite: true },
    readDashboard: ({ query }) => ({ dashboard: aDashboard({ period: query.period }) }),
    readInvites: inviteList([]),
    createInvites,
    listConversations: conversationList(chats),
    ...(readDetails && { readDetails }),
    ...(setStatus && { setStatus }),
    searchMessages: { messages: [], complete: true },
    readPeople: { people: [], next: null },
    readLeftDesks: { desks: [] },
    readDesks: { desks: [{ ...desk, online: true }] },
    readDeskHours: { desks: [{ ...desk, hours: null }] },
    readMailFigures: { figures: null },
    listProfiles: { profiles: [aProfile(MAIN, { displayName: brand.displayName })] },
    readProfileSettings: { brand, settings },
    readAudit: { entries: [], next: null, head: { count: 0, hash: '' } },
    readAuditChoices: { actors: [], actions: [] },
    readAccount: {
      account: {
        email: 'ana@example.org',
        name: session.staff.name,
        role: session.staff.role,
        hasPassword: true,
        totpSince: Date.now(),
        passkeys: [],
        recoveryCodesLeft: 10,
        sessions: [],
      },
    },
    countExpired: { conversations: 0 },
    readNotes: { notes: [] },
    readAuthors: { authors: [] },
  };
  const frames: FrameHandlers<'staff'> = { ...conversations.frames, ...session.frames };
  return { staff: session.staff, answers, frames };
}

type AdminOptions = DeskParts & {
  path?: string;
  /** Answers besides or instead of those of `anAdmin`. */
  answers?: Answers;
  /** Returns at once, without waiting for the socket. */
  atOnce?: boolean;
};

/** The admin area at an address, on a fake gateway. For a reload, unmount it and render it again. */
export async function renderAdmin({
  path = '/admin/dashboard',
  answers,
  atOnce,
  ...parts
}: AdminOptions = {}) {
  goTo(path);
  const admin = anAdmin(parts);
  const gateway = fakeGateway('staff', { ...admin.answers, ...answers }, admin.frames);
  const screen = await render(<AdminApp session={sessionStore()} />, { container: appRoot() });
  if (!atOnce) await expect.poll(() => gateway.received('watchManagement').length).toBeGreaterThan(0);
  return { screen, gateway, staff: admin.staff };
}
