import { CLOSE_UNAUTHENTICATED } from '@settee/protocol/frames/down';
import type { App } from '../app.ts';
import { readStaffSessions } from '../auth/callers.ts';
import type { Staff } from '../caller.ts';
import { readHeads } from '../db/conversation/conversations.ts';
import { readQueueHeads } from '../db/conversation/queue.ts';
import { Coalescer } from '../limits/concurrency.ts';
import { reason } from '../log/log.ts';
import type { Bus } from '../ports.ts';
import type { Connection } from './connection.ts';
import type { Hub } from './hub.ts';
import { findLostNotes } from './lostNotes.ts';
import type { Presence } from './presence.ts';

/** Conversations compared in one query. */
const SLICE = 5_000;

/**
 * Finds what a lost hint would hide: every few seconds it compares all that is watched here with
 * PostgreSQL, and ends the sockets of those whose right to be here ended. Also at once when the bus
 * was away.
 */
export class Sweep {
  readonly #app: App;
  readonly #hub: Hub;
  readonly #presence: Presence;
  #stopped = false;
  #cancel: () => void = () => {};
  #running: Promise<void> | undefined;
  readonly #accessCheck = new Coalescer();

  constructor(app: App, hub: Hub, presence: Presence, bus: Bus) {
    this.#app = app;
    this.#hub = hub;
    this.#presence = presence;
    hub.checkAccess = () => void this.#checkAccess();
    bus.onGap(() => void this.#guarded(() => this.#compare()));
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
    await this.#accessCheck.settle();
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#cancel = this.#app.clock.after(this.#app.config.sweepSeconds * 1_000, () => {
      this.#running = this.#guarded(() => this.#once()).finally(() => this.#schedule());
    });
  }

  async #once(): Promise<void> {
    this.#hub.refreshProfile();
    await this.#compare();
    await this.#checkAccess();
  }

  #checkAccess(): Promise<void> {
    return this.#accessCheck.run(() => this.#guarded(() => this.#endStale()));
  }

  async #compare(): Promise<void> {
    const rooms = [...this.#hub.rooms.all()];
    const now = this.#app.clock.now();
    void this.#hub.showHours(
      rooms.filter(({ hoursChangeAt }) => hoursChangeAt !== null && hoursChangeAt <= now),
    );
    for (let start = 0; start < rooms.length; start += SLICE) {
      const ids = rooms.slice(start, start + SLICE).map((room) => room.conversationId);
      const heads = await readHeads(this.#app.db, ids);
      const there = new Set(heads.map(({ id }) => id));
      // Erased: whoever is still in the room is told that it is gone.
      for (const id of ids) {
        if (there.has(id)) continue;
        this.#app.metrics.swept('erased', 1);
        this.#hub.rooms.refresh(id);
      }
      for (const { id, head, rev } of heads) {
        const room = this.#hub.rooms.get(id);
        if (room === undefined) continue;
        if (room.head < head) room.catchUp();
        if (room.rev === rev) continue;
        this.#app.metrics.swept('change', 1);
        this.#hub.rooms.refresh(id);
      }
    }
    await findLostNotes(this.#app, rooms);
    const aliases = this.#hub.desks.aliases();
    if (aliases.length === 0) return;
    const standing = Map.groupBy(await readQueueHeads(this.#app.db, aliases), (row) => row.alias);
    for (const alias of aliases) {
      this.#hub.desks.get(alias)?.compare(new Map(standing.get(alias)?.map((row) => [row.id, row])));
    }
  }

  /** Signed out, demoted, moved to another desk, or an ID token that was not renewed; and who went away or came back. */
  async #endStale(): Promise<void> {
    const now = this.#app.clock.now();
    const staff: (Connection & { caller: Staff })[] = [];
    for (const connection of this.#hub.connections) {
      if (connection.expiresAt < now) connection.close(CLOSE_UNAUTHENTICATED, 'token expired');
      else if (isStaff(connection)) staff.push(connection);
    }
    if (staff.length === 0) return;
    const sessions = await readStaffSessions(
      this.#app,
      staff.map((connection) => connection.caller.sessionId),
    );
    for (const connection of staff) {
      // Who left while the sessions were read was taken leave of already.
      if (!this.#hub.connections.has(connection)) continue;
      const session = sessions.get(connection.caller.sessionId);
      if (session === undefined) connection.closeForGood('signed_out');
      else if (changedPlace(session, connection.caller)) {
        // It comes back with a token that says what is true now.
        connection.close(CLOSE_UNAUTHENTICATED, 'role changed');
      } else if (session.away !== connection.caller.away) this.#setAvailability(connection, session);
    }
  }

  #setAvailability(connection: Connection, session: Staff): void {
    const before = connection.staffedDesk();
    connection.caller = session;
    const now = connection.staffedDesk();
    if (before !== null && now === null) this.#presence.leaveAtOnce(before);
    if (before === null && now !== null) this.#presence.arrive(now);
    connection.tell({ type: 'availability', away: session.away });
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#app.log.warn({ reason: reason(error) }, 'sweep failed');
    }
  }
}

function changedPlace(now: Staff, before: Staff): boolean {
  return (
    now.role !== before.role ||
    now.alias !== before.alias ||
    now.verified !== before.verified ||
    now.overdue !== before.overdue
  );
}

function isStaff(connection: Connection): connection is Connection & { caller: Staff } {
  return connection.caller.kind === 'staff';
}
