import { CLOSE_UNAUTHENTICATED } from '@settee/protocol/frames/down';
import { MESSAGE_PAGE } from '@settee/protocol/model/message';
import { type Access, conversationView, findAccess, isOutdated } from '../access.ts';
import type { App } from '../app.ts';
import { deskOf } from '../caller.ts';
import { readHeads } from '../db/conversation/conversations.ts';
import { readMessages } from '../db/message/messages.ts';
import { reason } from '../log/log.ts';
import type { Span, Subscription } from '../ports.ts';
import type { Connection } from './connection.ts';
import { Delivery } from './delivery.ts';
import { encode } from './encode.ts';
import type { Attending } from './hint.ts';
import { screenOf } from './visitorScreen.ts';

const DONE = Promise.resolve(true);

/** One socket in a room. While its snapshot is being read, `held` keeps what must follow it. */
export type Member = {
  connection: Connection;
  room: Room;
  side: Access['side'];
  held: { seq: number; frame: Buffer }[] | undefined;
  /** A member of staff who said so on this socket, and did not leave since. */
  attends: boolean;
  /** A blocked visitor, who does not know it: what they type reaches nobody. */
  muted: boolean;
  /** When it last said that somebody types here, by `performance.now()`. */
  typedAt: number;
  /** What a visitor was last shown; of staff nothing is kept. See screenOf. */
  screen: string | undefined;
};

/**
 * A message heard of, here or on the bus, that was stored while the conversation was at this desk. `id` lets the socket
 * that is storing it go without a copy. `createdAt` by PostgreSQL's clock; 0 if that was not told.
 */
export type Heard = { seq: number; createdAt: number; frame: Buffer; alias: string; id?: string | undefined };

/** Older than this, a message or note that was read was not just quicker than its hint. */
export const LATE_SECONDS = 1;

/** What the keeper of rooms does about what a refresh finds. */
export type RoomKeeper = { leave(member: Member): void; moved(room: Room, rev: number): void };

/**
 * A conversation with at least one watcher at this gateway. It passes messages on strictly by
 * number: what arrives out of turn, or not at all, it reads from PostgreSQL first.
 */
export class Room {
  readonly conversationId: string;
  handlerAlias: string;
  head: number;
  rev: number;
  /** Notes at the last sweep, or when the first console came; undefined while there is none. */
  noteCount: number | undefined;
  /** Ids of notes that were told live, and not yet counted by a sweep: those it did not have to find. */
  heardNotes: Set<string> | undefined;
  /** When the desk's opening hours next begin or end, if a visitor is here and it has hours. The sweep looks at it. */
  hoursChangeAt: number | null = null;
  /** Few: a visitor's devices and a desk's consoles. Replaced, not grown: see Connection. */
  members: readonly Member[] = [];
  subscription: Subscription | undefined;
  /** Until the bus has taken in the subscription: what is read before that may be followed by a gap. */
  listening: Promise<void> | undefined;
  readonly #app: App;
  readonly #keeper: RoomKeeper;
  #filling = false;
  #fillAgain = false;
  #refreshing = false;
  #refreshAgain = false;
  #refreshed: Promise<boolean> = DONE;

  constructor(
    app: App,
    keeper: RoomKeeper,
    conversation: { id: string; handlerAlias: string; head: number; rev: number },
  ) {
    this.#app = app;
    this.#keeper = keeper;
    this.conversationId = conversation.id;
    this.handlerAlias = conversation.handlerAlias;
    this.head = conversation.head;
    this.rev = conversation.rev;
  }

  hear(heard: Heard): void {
    const { seq } = heard;
    if (seq <= this.head) return;
    const next = seq === this.head + 1 && !this.#filling;
    if (next && this.#allMayReadAt(heard.alias)) this.#pass(heard, heard.id === undefined ? 'bus' : 'here');
    else this.catchUp();
  }

  /** Reads and passes on whatever lies above the head. */
  catchUp(): void {
    this.#fillAgain = true;
    if (!this.#filling) void this.#fill();
  }

  // The flag falls in the same turn as the loop's last look at what is still wanted: nothing can be
  // asked for in between and be forgotten.
  async #fill(): Promise<void> {
    this.#filling = true;
    try {
      while (this.#fillAgain) {
        this.#fillAgain = false;
        const page = await readMessages(this.#app.db, this.conversationId, { after: this.head });
        // Asked after the messages: who may read them then may read all that was written before.
        const [now] = await readHeads(this.#app.db, [this.conversationId]);
        if (now !== undefined && !this.#allMayReadAt(now.handlerAlias)) {
          // Handed over, and somebody is still here who must go first. Should that fail, nobody is told anything yet.
          this.#fillAgain = await this.refresh();
          continue;
        }
        for (const message of page) {
          if (message.seq !== this.head + 1) continue;
          const frame = encode({ type: 'message', message });
          const { seq, createdAt, id } = message;
          const seconds = this.#pass({ seq, createdAt, id, frame }, 'database');
          if (seconds !== undefined && seconds > LATE_SECONDS) this.#app.metrics.swept('message', 1);
        }
        if (page.length === MESSAGE_PAGE) this.#fillAgain = true;
      }
    } catch (error) {
      // The next sweep finds the same gap.
      this.#app.log.warn({ reason: reason(error) }, 'catching up failed');
    } finally {
      this.#filling = false;
    }
  }

  hasVisitor(): boolean {
    return this.members.some(({ side }) => side === 'visitor');
  }

  #allMayReadAt(alias: string): boolean {
    return this.members.every((member) => mayReadAt(member, alias));
  }

  /** Answers how long ago it was stored, where that is known. */
  #pass(
    { seq, createdAt, frame, id }: Omit<Heard, 'alias'>,
    from: NonNullable<Span['heard']>,
  ): number | undefined {
    const { metrics, databaseClock, traces } = this.#app;
    const delivery = Delivery.of(traces, frame, id);
    const seconds = createdAt === 0 ? undefined : databaseClock.secondsSince(createdAt);
    let sockets = 0;
    this.head = seq;
    for (const { held, connection } of this.members) {
      if (held !== undefined) held.push({ seq, frame });
      else if (id === undefined || connection.storing?.has(id) !== true) {
        connection.tellEncoded(frame);
        sockets += 1;
        if (seconds !== undefined) metrics.received(seconds);
      }
    }
    delivery?.end(sockets, from);
    return seconds;
  }

  /**
   * An internal note, for those alone who may read it at that desk: a visitor never, nor a handler whose desk just lost
   * the conversation and who has not yet left the room.
   */
  note(alias: string, frame: Buffer): void {
    for (const member of this.members) {
      if (member.connection.caller.kind === 'staff' && mayReadAt(member, alias)) tell(member, frame);
    }
  }

  typing(side: Access['side'], except?: Connection): void {
    const frame = encode({ type: 'typing', conversationId: this.conversationId, sender: side });
    for (const member of this.members) {
      if (member.side !== side && member.connection !== except) member.connection.tellEncoded(frame);
    }
  }

  /** Tells the rest of the staff here. Never the visitor, and not the same person's other windows. */
  colleague({ staffId, name, doing }: Attending): void {
    const frame = encode({ type: 'colleague', conversationId: this.conversationId, staffId, name, doing });
    for (const { side, connection } of this.members) {
      const { caller } = connection;
      if (side === 'owner' && caller.kind === 'staff' && caller.staffId !== staffId)
        connection.tellEncoded(frame);
    }
  }

  /** Something but a message changed: every member sees the conversation anew, or sees it go. */
  refresh(): Promise<boolean> {
    this.#refreshAgain = true;
    if (!this.#refreshing) this.#refreshed = this.#refresh();
    return this.#refreshed;
  }

  /** Answers whether everybody was shown. */
  async #refresh(): Promise<boolean> {
    this.#refreshing = true;
    try {
      while (this.#refreshAgain) {
        this.#refreshAgain = false;
        const rev = await this.#showAll();
        // Only now, and the oldest that anyone was shown: else the sweep would not see who is still behind.
        if (Number.isFinite(rev)) this.rev = rev;
      }
      return true;
    } catch (error) {
      this.#app.log.warn({ reason: reason(error) }, 'refreshing failed');
      return false;
    } finally {
      this.#refreshing = false;
    }
  }

  /** Also those who come in meanwhile: the access that let them in may be older than the change. */
  async #showAll(): Promise<number> {
    const shown = new Set<Member>();
    const next = (): Member | undefined => this.members.find((member) => !shown.has(member));
    let rev = Number.POSITIVE_INFINITY;
    for (let member = next(); member !== undefined; member = next()) {
      shown.add(member);
      rev = Math.min(rev, await this.#show(member));
    }
    return rev;
  }

  /** Answers the revision that the member has now been shown. */
  async #show(member: Member): Promise<number> {
    const access = await findAccess(this.#app, member.connection.caller, this.conversationId);
    // Who left meanwhile asked for nothing more.
    if (!this.members.includes(member)) return Number.POSITIVE_INFINITY;
    if (access === undefined) {
      const erased = (await readHeads(this.#app.db, [this.conversationId])).length === 0;
      const outdated = !erased && (await isOutdated(this.#app, member.connection.caller));
      if (!this.members.includes(member)) return Number.POSITIVE_INFINITY;
      this.#keeper.leave(member);
      const { conversationId } = this;
      // It is still theirs, by a newer token.
      if (outdated) member.connection.close(CLOSE_UNAUTHENTICATED, 'unauthenticated');
      else member.connection.tell({ type: 'gone', conversationId, ...(erased && { erased }) });
      // A removed device is signed out. Erased, the conversation is nobody's, and the page stays to say so.
      const { caller, watching } = member.connection;
      if (!erased && !outdated && caller.kind === 'visitor' && watching.length === 0) {
        member.connection.closeForGood('signed_out');
      }
      return Number.POSITIVE_INFINITY;
    }
    const { handlerAlias, rev } = access.conversation;
    if (this.handlerAlias !== handlerAlias) {
      this.handlerAlias = handlerAlias;
      this.#keeper.moved(this, rev);
    }
    member.muted = isMuted(access);
    if (access.side === 'visitor') this.hoursChangeAt = access.hoursChangeAt;
    const screen = screenOf(access);
    if (screen === undefined || screen !== member.screen) {
      member.screen = screen;
      tell(member, encode({ type: 'conversation', conversation: conversationView(access) }));
    }
    return rev;
  }
}

/** Whether the member may read what is written while the conversation is at this desk. */
export function mayReadAt({ connection: { caller } }: Member, alias: string): boolean {
  const desk = caller.kind === 'staff' ? deskOf(caller) : null;
  return desk === null || desk === alias;
}

export function isMuted({ side, conversation }: Access): boolean {
  return side === 'visitor' && conversation.status === 'blocked';
}

/** After the snapshot, whatever number that ends with. */
function tell({ connection, held }: Member, frame: Buffer): void {
  if (held !== undefined) held.push({ seq: Number.POSITIVE_INFINITY, frame });
  else connection.tellEncoded(frame);
}
