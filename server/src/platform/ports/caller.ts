import type { Scope } from '@settee/protocol/model/apiKey';
import type { HeldDesk, Role } from '@settee/protocol/model/staff';

export type Visitor = {
  kind: 'visitor';
  visitorId: string;
  /** Hash of the cookie's secret. It must match the device. */
  credential: Buffer;
};

export type Staff = {
  kind: 'staff';
  staffId: string;
  sessionId: string;
  name: string;
  role: Role;
  /** The first desk. */
  alias: string | null;
  /** All desks, `alias` first. */
  desks: readonly HeldDesk[];
  /** Signed in, but not available to visitors. */
  away: boolean;
  /**
   * False when the session lacks a required second factor, or the account did not set one up in time. Then only the
   * account's own calls are allowed.
   */
  verified: boolean;
  /** When a second factor must be set up; null when none is missing. */
  enrolBy: number | null;
  /** `enrolBy` has passed: the admin area is closed until a factor is set up. */
  overdue: boolean;
};

/** The verified caller. It and the database decide what is allowed. */
export type Caller = Visitor | Staff;

/** A program with an API key. It only makes calls whose scope it has: see start/identify.ts. */
export type ApiKeyCaller = { kind: 'key'; keyId: string; scopes: readonly Scope[] };

/** Who makes a call that is open to administrators and to keys. */
export type Manager = Staff | ApiKeyCaller;

/**
 * The actor in the audit log. A string names something without an account, such as the command line. The log is
 * permanent, so it must not hold the id of a visitor.
 */
export function actorOf(actor: Caller | ApiKeyCaller | string): string {
  if (typeof actor === 'string') return actor;
  if (actor.kind === 'visitor') return 'visitor';
  return actor.kind === 'key' ? actor.keyId : actor.staffId;
}

export function desksOf({ desks }: Pick<Staff, 'desks'>): string[] {
  return desks.map(({ alias }) => alias);
}

/** The desks as the wire names them: a person with one has an alias only. */
export function severalDesks({ desks }: Pick<Staff, 'desks'>): { desks?: HeldDesk[] } {
  return desks.length > 1 ? { desks: [...desks] } : {};
}

/** The desks that a handler may work at. Null means that no desk limits the caller: a visitor or an admin. */
export function reachOf(caller: Caller): string[] | null {
  return caller.kind === 'visitor' || caller.role === 'admin' ? null : desksOf(caller);
}

/** Whether the caller may read what is written while a conversation is at this desk. */
export function mayReadAt(caller: Caller, alias: string): boolean {
  const reach = reachOf(caller);
  return reach === null || reach.includes(alias);
}

/** The author of messages and images. A staff member's id must not reach a visitor. */
export function authorIdOf(caller: Caller): string {
  return caller.kind === 'visitor' ? caller.visitorId : caller.staffId;
}

/** Where a session is used: a browser such as 'Firefox on Android', and a shortened address. */
export type SessionOrigin = { browser: string; network: string };
