import { hash } from 'node:crypto';
import { CLOSE_UNAUTHENTICATED } from '@settee/protocol/frames/down';
import { MESSAGE_PAGE } from '@settee/protocol/model/message';
import { readHeads } from '../access/access.store.ts';
import { type Access, conversationView, findAccess, isOutdated } from '../access/access.ts';
import { DeliverySpan } from '../messages/messageSpan.ts';
import { readMessages } from '../messages/messages.store.ts';
import { type App, withReserved } from '../platform/app.ts';
import { findNewCell } from '../platform/db/moved.ts';
import { Coalescer } from '../platform/limits/concurrency.ts';
import { logFailure, reason } from '../platform/log/log.ts';
import { mayReadAt } from '../platform/ports/caller.ts';
import type { Span, Subscription } from '../platform/ports/ports.ts';
import { type Connection, encode } from './connection.ts';
import type { StaffActivity } from './hint.ts';

/** A socket in a room. */
export type Member = {
  connection: Connection;
  room: Room;
  side: Access['side'];
  /** Frames that must follow the snapshot, while the snapshot is being read. */
  held: { seq: number; frame: Buffer }[] | undefined;
  /** A staff member who announced their activity here and has not left. */
  attending: boolean;
  /** A blocked visitor, who must not notice the block: their typing is not passed on. */
  muted: boolean;
  /** The last `typing` frame of this socket, by `performance.now()`. */
  typedAt: number;
  /** See hashOfView. */
  viewHash: string | undefined;
};

/**
 * A new message, from this gateway or from the bus. `alias` is the desk at which it was stored. `createdAt` is the time
 * of PostgreSQL, or 0 if unknown. With `id`, the socket that sends the message gets no copy.
 */
export type NewMessage = {
  seq: number;
  createdAt: number;
  frame: Buffer;
  alias: string;
  id?: string | undefined;
};

/** A message or note older than this was missed, not just read before its hint arrived. */
export const LATE_SECONDS = 1;

type RoomEvents = {
  removeMember(member: Member): void;
  deskChanged(room: Room, rev: number, from: string): void;
};

/**
 * A conversation that at least one socket of this gateway watches. It delivers messages strictly by number. A gap is
 * first filled from PostgreSQL.
 */
export class Room {
  readonly conversationId: string;
  handlerAlias: string;
  head: number;
  rev: number;
  /** Number of notes at the last sweep; undefined while no console is here. */
  noteCount: number | undefined;
  /** Notes that were delivered live since the last sweep. */
  deliveredNotes: Set<string> | undefined;
  /** When the desk next opens or closes, if a visitor is here. The sweep checks it. */
  hoursChangeAt: number | null = null;
  /** Few: a visitor's devices and a desk's consoles. Replaced, not extended: see Connection. */
  members: readonly Member[] = [];
  subscription: Subscription | undefined;
  /** Resolves when the bus has the subscription. Until then a read may be followed by a gap. */
  listening: Promise<void> | undefined;
  readonly #app: App;
  readonly #events: RoomEvents;
  /** Created when needed: most rooms of idle sockets never are. */
  #gapFill: Coalescer | undefined;
  #memberRefresh: Coalescer<boolean> | undefined;

  constructor(
    app: App,
    events: RoomEvents,
    conversation: { id: string; handlerAlias: string; head: number; rev: number },
  ) {
    this.#app = app;
    this.#events = events;
    this.conversationId = conversation.id;
    this.handlerAlias = conversation.handlerAlias;
    this.head = conversation.head;
    this.rev = conversation.rev;
  }

  receive(message: NewMessage): void {
    const { seq, alias, id } = message;
    if (seq <= this.head) return;
    const isNext = seq === this.head + 1 && this.#gapFill?.isRunning() !== true;
    if (isNext && this.#allMayReadAt(alias)) this.#deliver(message, id === undefined ? 'bus' : 'here');
    else this.catchUp();
  }

  /** Reads and delivers all messages after the head. */
  catchUp(): void {
    const deliverAll = async (): Promise<void> => {
      while (await this.#deliverPage()) {}
    };
    // After a failure, the next sweep finds the same gap.
    this.#gapFill ??= new Coalescer();
    void this.#gapFill.run(() => logFailure(this.#app.log, 'catching up failed', deliverAll));
  }

  /** Returns whether there may be more. */
  async #deliverPage(): Promise<boolean> {
    const page = await readMessages(this.#app.db, this.conversationId, { after: this.head });
    // Read after the messages: a member who may read now may also read everything before.
    const [now] = await readHeads(this.#app.db, [this.conversationId]);
    if (now !== undefined && !this.#allMayReadAt(now.handlerAlias)) {
      // The conversation moved to another desk, and members who lost access must leave first.
      return this.refresh();
    }
    for (const message of page) {
      if (message.seq !== this.head + 1) continue;
      const frame = encode({ type: 'message', message });
      const { seq, createdAt, id } = message;
      const seconds = this.#deliver({ seq, createdAt, id, frame }, 'database');
      if (seconds !== undefined && seconds > LATE_SECONDS) this.#app.metrics.swept('message', 1);
    }
    return page.length === MESSAGE_PAGE;
  }

  hasVisitor(): boolean {
    return this.members.some(({ side }) => side === 'visitor');
  }

  #allMayReadAt(alias: string): boolean {
    return this.members.every(({ connection }) => mayReadAt(connection.caller, alias));
  }

  /** Returns the age of the message in seconds, if known. */
  #deliver(
    { seq, createdAt, frame, id }: Omit<NewMessage, 'alias'>,
    source: NonNullable<Span['heard']>,
  ): number | undefined {
    const { metrics, databaseClock, traces } = this.#app;
    const span = DeliverySpan.of(traces, frame, id);
    const seconds = createdAt === 0 ? undefined : databaseClock.secondsSince(createdAt);
    let sockets = 0;
    this.head = seq;
    for (const { held, connection } of this.members) {
      if (held !== undefined) held.push({ seq, frame });
      else if (id === undefined || connection.storing?.has(id) !== true) {
        connection.sendEncoded(frame);
        sockets += 1;
        if (seconds !== undefined) metrics.received(seconds);
      }
    }
    span?.end(sockets, source);
    return seconds;
  }

  /** Sends a note to staff who may read it at that desk. Visitors and handlers who just lost the conversation get nothing. */
  sendNote(alias: string, frame: Buffer): void {
    for (const member of this.members) {
      if (member.connection.caller.kind === 'staff' && mayReadAt(member.connection.caller, alias))
        sendAfterSnapshot(member, frame);
    }
  }

  sendTyping(side: Access['side'], except?: Connection): void {
    const frame = encode({ type: 'typing', conversationId: this.conversationId, sender: side });
    for (const member of this.members) {
      if (member.side !== side && member.connection !== except) member.connection.sendEncoded(frame);
    }
  }

  /** Tells visitors whether anyone is online at the desk of this conversation. */
  sendPresence(online: boolean): void {
    const frame = encode({ type: 'presence', online });
    for (const { side, connection } of this.members) {
      if (side === 'visitor') connection.sendEncoded(frame);
    }
  }

  /** For the other staff members here. Never for the visitor or the same person's other windows. */
  sendActivity({ staffId, name, doing }: StaffActivity): void {
    const frame = encode({ type: 'colleague', conversationId: this.conversationId, staffId, name, doing });
    for (const { side, connection } of this.members) {
      const { caller } = connection;
      if (side === 'owner' && caller.kind === 'staff' && caller.staffId !== staffId)
        connection.sendEncoded(frame);
    }
  }

  /** After a change that is no message: sends every member the conversation, or removes them. False when it failed. */
  refresh(): Promise<boolean> {
    this.#memberRefresh ??= new Coalescer();
    return this.#memberRefresh.run(async () => {
      try {
        const rev = await this.#refreshAll();
        // The oldest revision that a member has: otherwise the sweep would not notice who is behind.
        if (Number.isFinite(rev)) this.rev = rev;
        return true;
      } catch (error) {
        this.#app.log.warn({ reason: reason(error) }, 'refreshing failed');
        return false;
      }
    });
  }

  /** Includes members who enter meanwhile: their access may be older than the change. */
  async #refreshAll(): Promise<number> {
    const refreshed = new Set<Member>();
    const next = (): Member | undefined => this.members.find((member) => !refreshed.has(member));
    let rev = Number.POSITIVE_INFINITY;
    for (let member = next(); member !== undefined; member = next()) {
      refreshed.add(member);
      rev = Math.min(rev, await this.#refreshMember(member));
    }
    return rev;
  }

  /** Returns the revision that the member has now; infinity when the member left. */
  async #refreshMember(member: Member): Promise<number> {
    const access = await findAccess(withReserved(this.#app), member.connection.caller, this.conversationId);
    if (!this.members.includes(member)) return Number.POSITIVE_INFINITY;
    if (access === undefined) {
      await this.#removeMember(member);
      return Number.POSITIVE_INFINITY;
    }
    const { handlerAlias, rev } = access.conversation;
    const from = this.handlerAlias;
    if (from !== handlerAlias) {
      this.handlerAlias = handlerAlias;
      this.#events.deskChanged(this, rev, from);
    }
    member.muted = isMuted(access);
    if (access.side === 'visitor') this.hoursChangeAt = access.hoursChangeAt;
    const viewHash = hashOfView(access);
    if (viewHash === undefined || viewHash !== member.viewHash) {
      member.viewHash = viewHash;
      sendAfterSnapshot(member, encode({ type: 'conversation', conversation: conversationView(access) }));
    }
    return rev;
  }

  async #removeMember(member: Member): Promise<void> {
    const { connection } = member;
    const { conversationId } = this;
    const erased =
      (await readHeads(this.#app.reserved, [conversationId])).length === 0 &&
      (await findNewCell(this.#app.reserved, conversationId)) === undefined;
    const outdated = await isOutdated(withReserved(this.#app), connection.caller, conversationId);
    if (!this.members.includes(member)) return;
    this.#events.removeMember(member);
    // With an outdated token, the visitor still has access by a newer one.
    if (outdated) connection.close(CLOSE_UNAUTHENTICATED, 'unauthenticated');
    else connection.send({ type: 'gone', conversationId, ...(erased && { erased }) });
    // A removed device is signed out. After an erasure the page stays open to say so.
    const { caller, watching } = connection;
    if (!erased && !outdated && caller.kind === 'visitor' && watching.length === 0) {
      connection.closeForGood('signed_out');
    }
  }
}

export function isMuted({ side, conversation }: Access): boolean {
  return side === 'visitor' && conversation.status === 'blocked';
}

/**
 * A hash of what a visitor sees of a conversation, except its messages; undefined for staff. A frame in which only the
 * revision differs would reveal a transfer to the visitor, so it is not sent.
 */
export function hashOfView(access: Access): string | undefined {
  if (access.side === 'owner') return undefined;
  const { rev, head, lastMessageAt, ...shown } = conversationView(access);
  return hash('sha1', JSON.stringify(shown), 'base64');
}

function sendAfterSnapshot({ connection, held }: Member, frame: Buffer): void {
  if (held !== undefined) held.push({ seq: Number.POSITIVE_INFINITY, frame });
  else connection.sendEncoded(frame);
}
