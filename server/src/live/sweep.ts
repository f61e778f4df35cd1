import { CLOSE_UNAUTHENTICATED } from '@settee/protocol/frames/down';
import { readHeads } from '../access/access.store.ts';
import { readQueueHeads } from '../conversations/queue.store.ts';
import type { App } from '../platform/app.ts';
import { listMoved } from '../platform/db/moved.ts';
import { Coalescer } from '../platform/limits/concurrency.ts';
import { repeatEvery } from '../platform/limits/repeatEvery.ts';
import { logFailure } from '../platform/log/log.ts';
import { desksOf, type Staff, severalDesks } from '../platform/ports/caller.ts';
import type { Bus } from '../platform/ports/ports.ts';
import { readStaffSessions } from '../staff/callers.ts';
import type { Connection } from './connection.ts';
import type { Hub } from './hub.ts';
import { findMissedNotes } from './noteSweep.ts';
import type { Presence } from './presence.ts';

/** Maximum conversations per query. */
const SLICE = 5_000;

/**
 * Finds changes whose hint was lost: every few seconds, and after an outage of the bus, it compares everything that is
 * watched here with PostgreSQL. It also closes the sockets of callers whose access has ended.
 */
export class Sweep {
  readonly #app: App;
  readonly #hub: Hub;
  readonly #presence: Presence;
  readonly #loop: ReturnType<typeof repeatEvery>;
  readonly #accessCheck = new Coalescer();

  constructor(app: App, hub: Hub, presence: Presence, bus: Bus) {
    this.#app = app;
    this.#hub = hub;
    this.#presence = presence;
    hub.checkAccess = () => void this.#checkAccess();
    bus.onGap(() => void this.#guarded(() => this.#compare()));
    this.#loop = repeatEvery(app.clock, app.config.sweepSeconds * 1_000, () =>
      this.#guarded(() => this.#sweep()),
    );
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#accessCheck.settle();
  }

  async #sweep(): Promise<void> {
    this.#hub.refreshProfile();
    await this.#compare();
    await this.#checkAccess();
  }

  #checkAccess(): Promise<void> {
    return this.#accessCheck.run(() => this.#guarded(() => this.#closeStale()));
  }

  async #compare(): Promise<void> {
    const rooms = [...this.#hub.rooms.all()];
    const now = this.#app.clock.now();
    void this.#hub.refreshVisitors(
      rooms.filter(({ hoursChangeAt }) => hoursChangeAt !== null && hoursChangeAt <= now),
    );
    for (let start = 0; start < rooms.length; start += SLICE) {
      const ids = rooms.slice(start, start + SLICE).map((room) => room.conversationId);
      const heads = await readHeads(this.#app.reserved, ids);
      const existing = new Set(heads.map(({ id }) => id));
      // Erased: the refresh sends `gone` to everyone in the room.
      for (const id of ids) {
        if (existing.has(id)) continue;
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
    await findMissedNotes(this.#app, rooms);
    const aliases = this.#hub.desks.aliases();
    if (aliases.length === 0) return;
    const heads = Map.groupBy(await readQueueHeads(this.#app.reserved, aliases), (row) => row.alias);
    for (const alias of aliases) {
      this.#hub.desks.get(alias)?.compare(new Map(heads.get(alias)?.map((row) => [row.id, row])));
    }
  }

  /** Closes sockets with an ended session, another role or desk, or an expired ID token. Updates availability. */
  async #closeStale(): Promise<void> {
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
    const missing = staff.filter(({ caller }) => !sessions.has(caller.sessionId));
    const moved = await listMoved(
      this.#app.reserved,
      missing.map(({ caller }) => caller.sessionId),
    );
    for (const connection of staff) {
      // Skip sockets that closed while we read sessions.
      if (!this.#hub.connections.has(connection)) continue;
      const session = sessions.get(connection.caller.sessionId);
      if (moved.has(connection.caller.sessionId)) {
        // The desk moved to another cell, and the page follows.
        connection.close(CLOSE_UNAUTHENTICATED, 'unauthenticated');
      } else if (session === undefined) connection.closeForGood('signed_out');
      else if (hasMoved(session, connection.caller)) {
        // The page reconnects with a new token.
        connection.close(CLOSE_UNAUTHENTICATED, 'role changed');
      } else if (dutyOf(session) !== dutyOf(connection.caller)) this.#setAvailability(connection, session);
    }
  }

  #setAvailability(connection: Connection, session: Staff): void {
    const before = connection.staffedDesks();
    connection.caller = session;
    const now = connection.staffedDesks();
    for (const alias of before) if (!now.includes(alias)) this.#presence.leaveNow(alias);
    for (const alias of now) if (!before.includes(alias)) this.#presence.arrive(alias);
    connection.send({ type: 'availability', away: session.away, ...severalDesks(session) });
  }

  #guarded(work: () => Promise<void>): Promise<void> {
    return logFailure(this.#app.log, 'sweep failed', work);
  }
}

function hasMoved(now: Staff, before: Staff): boolean {
  return (
    now.role !== before.role ||
    desksOf(now).join() !== desksOf(before).join() ||
    now.verified !== before.verified ||
    now.overdue !== before.overdue
  );
}

/** Where the person counts as available. */
function dutyOf({ away, desks }: Staff): string {
  return JSON.stringify([away, desks]);
}

function isStaff(connection: Connection): connection is Connection & { caller: Staff } {
  return connection.caller.kind === 'staff';
}
