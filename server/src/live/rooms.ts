import type { Doing } from '@settee/protocol/model/colleague';
import { readHeads } from '../access/access.store.ts';
import { type Access, accessTo, conversationView, readAs } from '../access/access.ts';
import { readMessages } from '../messages/messages.store.ts';
import type { App } from '../platform/app.ts';
import { logFailure } from '../platform/log/log.ts';
import type { Bus } from '../platform/ports/ports.ts';
import type { Connection } from './connection.ts';
import { decodeHint, encodeHint, partsOf, type StaffActivity, subjectOf } from './hint.ts';
import { deliverNote, startNoteCount } from './noteSweep.ts';
import { hashOfView, isMuted, type Member, type NewMessage, Room } from './room.ts';

/** The rooms of this gateway: one per watched conversation. */
export class Rooms {
  /** Called when a visitor's socket enters or leaves a room, and when the room moves to another desk. */
  onVisitorChange: (room: Room) => void = () => {};
  /** Called when a staff member of this gateway reports what they do in a conversation. */
  onActivity: (room: Room, activity: StaffActivity) => void = () => {};
  /** Called when a visitor's socket comes to a conversation, before it gets anything of it. */
  onProfile: (connection: Connection, slug: string) => Promise<void> = async () => {};
  readonly #app: App;
  readonly #bus: Bus;
  readonly #rooms = new Map<string, Room>();
  /** The desks where someone is online. */
  #onlineDesks: ReadonlySet<string> = new Set();
  readonly #events = {
    removeMember: (member: Member) => this.leave(member),
    // The hints of the other desk have another subject.
    deskChanged: (room: Room, rev: number, from: string) => {
      if (this.#rooms.get(room.conversationId) !== room) return;
      // Only a difference: a frame for every hand-over would reveal it to the visitor.
      const online = this.#onlineDesks.has(room.handlerAlias);
      if (online !== this.#onlineDesks.has(from)) room.sendPresence(online);
      this.#subscribe(room);
      this.onVisitorChange(room);
      void room.listening?.then(() => this.#findMissed(room, rev));
    },
  };

  /** One listener for all rooms: one for each would add to the memory of every idle socket. */
  readonly #receiveHint = (subject: string, payload: Uint8Array): void => {
    const { alias, conversationId } = partsOf(subject);
    const room = this.#rooms.get(conversationId);
    const hint = decodeHint(payload);
    if (room === undefined) return;
    if (hint?.kind === 'message') this.receive(conversationId, { ...hint, alias });
    else if (hint?.kind === 'typing') room.sendTyping(hint.side);
    else if (hint?.kind === 'note') deliverNote(room, hint.alias, hint.frame);
    else if (hint?.kind === 'colleague') room.sendActivity(hint);
    else if (hint?.kind === 'changed') this.refresh(conversationId);
  };

  constructor(app: App, bus: Bus) {
    this.#app = app;
    this.#bus = bus;
  }

  get(conversationId: string): Room | undefined {
    return this.#rooms.get(conversationId);
  }

  /** Undefined when the socket does not watch the conversation. */
  memberOf(connection: Connection, conversationId: string): Member | undefined {
    return this.#rooms.get(conversationId)?.members.find((member) => member.connection === connection);
  }

  all(): Iterable<Room> {
    return this.#rooms.values();
  }

  /** Tells visitors whose desk has changed. */
  updatePresence(onlineDesks: ReadonlySet<string>): void {
    const before = this.#onlineDesks;
    this.#onlineDesks = onlineDesks;
    for (const room of this.#rooms.values()) {
      const online = onlineDesks.has(room.handlerAlias);
      if (online !== before.has(room.handlerAlias)) room.sendPresence(online);
    }
  }

  /** Adds a socket to the room and then reads the snapshot, so that no message gets lost between the two. */
  async watch(connection: Connection, conversationId: string, after: number | undefined): Promise<void> {
    const { caller } = connection;
    const { visitorReads, db } = this.#app;
    const access = await visitorReads.run(caller, () => accessTo(this.#app, caller, conversationId));
    if (access.side === 'visitor') await this.onProfile(connection, access.conversation.profile);
    // A socket that closed meanwhile must not enter: nothing would remove it.
    if (!connection.isOpen()) return;
    const present = this.memberOf(connection, conversationId);
    const member = present ?? this.#enter(connection, access);
    const { room } = member;
    // Until now the visitor knows only whether anyone is online at any desk of the profile.
    if (member.side === 'visitor') {
      connection.send({ type: 'presence', online: this.#onlineDesks.has(room.handlerAlias) });
    }
    const held: NonNullable<Member['held']> = [];
    member.held = held;
    try {
      await Promise.all([room.listening, member.side === 'owner' && startNoteCount(this.#app, room)]);
      const messages = await readAs(this.#app, access, () =>
        visitorReads.run(caller, () => readMessages(db, conversationId, { after })),
      );
      // A refresh removed the member meanwhile.
      if (!room.members.includes(member)) return;
      connection.answer({ type: 'watched', conversation: conversationView(access), messages });
      const last = messages.at(-1)?.seq ?? after ?? 0;
      for (const { seq, frame } of held) {
        if (seq > last) connection.sendEncoded(frame);
      }
    } catch (error) {
      // Messages may follow a page's second watch. Without a member they would be refused for good.
      if (present === undefined) this.leave(member);
      else for (const { frame } of held) connection.sendEncoded(frame);
      throw error;
    } finally {
      member.held = undefined;
    }
    // The access was read before the socket entered: catch a change in between. If that fails, the sweep does it.
    if (room.rev !== access.conversation.rev) {
      room.rev = Math.min(room.rev, access.conversation.rev);
      this.refresh(conversationId);
    }
    if (member.room.head < access.conversation.head) member.room.catchUp();
  }

  #enter(connection: Connection, access: Access): Member {
    let room = this.#rooms.get(access.conversation.id);
    if (room === undefined) {
      room = new Room(this.#app, this.#events, access.conversation);
      this.#rooms.set(room.conversationId, room);
      this.#subscribe(room);
    }
    const { side } = access;
    if (side === 'visitor') room.hoursChangeAt = access.hoursChangeAt;
    const member: Member = {
      connection,
      room,
      side,
      held: undefined,
      attending: false,
      muted: isMuted(access),
      typedAt: Number.NEGATIVE_INFINITY,
      viewHash: hashOfView(access),
    };
    // Not by spreading, which reserves space: see Connection.watching.
    room.members = room.members.concat(member);
    connection.watching = connection.watching.concat(room.conversationId);
    if (side === 'visitor') this.onVisitorChange(room);
    return member;
  }

  receive(conversationId: string, message: NewMessage & { rev: number }): void {
    const room = this.#rooms.get(conversationId);
    if (room === undefined) return;
    room.receive(message);
    // A message can also change the conversation: it reopens a closed one.
    if (message.rev > room.rev) this.refresh(conversationId);
  }

  leave(member: Member): void {
    const { room, connection } = member;
    room.members = room.members.filter((other) => other !== member);
    connection.watching = connection.watching.filter((id) => id !== room.conversationId);
    if (member.attending) this.attend(member, 'left');
    if (member.side === 'visitor') this.onVisitorChange(room);
    if (room.members.length > 0 || this.#rooms.get(room.conversationId) !== room) return;
    this.#rooms.delete(room.conversationId);
    room.subscription?.unsubscribe();
  }

  /** Reports a staff member's activity to the other staff. Only `attending` is stored, to report when they leave. */
  attend(member: Member, doing: Doing): void {
    const { room, connection } = member;
    const { caller } = connection;
    if (caller.kind !== 'staff' || (doing === 'left' && !member.attending)) return;
    const { staffId, name } = caller;
    member.attending = doing !== 'left';
    // They are still here in another window.
    if (doing === 'left' && room.members.some((other) => other.attending && isOf(other, staffId))) return;
    const activity = { staffId, name, doing };
    room.sendActivity(activity);
    this.onActivity(room, activity);
    this.#bus.publish(
      subjectOf(room.handlerAlias, room.conversationId),
      encodeHint({ kind: 'colleague', ...activity }),
    );
  }

  leaveAll(connection: Connection): void {
    for (const conversationId of connection.watching) {
      const member = this.memberOf(connection, conversationId);
      if (member !== undefined) this.leave(member);
    }
  }

  refresh(conversationId: string): void {
    void this.#rooms.get(conversationId)?.refresh();
  }

  /** Finds changes that were hinted under the new subject before this gateway subscribed to it. */
  #findMissed(room: Room, rev: number): Promise<void> {
    // After a failure, the next sweep finds the changes.
    return logFailure(this.#app.log, 'catching up failed', async () => {
      const [now] = await readHeads(this.#app.db, [room.conversationId]);
      if (now === undefined) return;
      if (now.head > room.head) room.catchUp();
      if (now.rev > rev) this.refresh(room.conversationId);
    });
  }

  #subscribe(room: Room): void {
    room.subscription?.unsubscribe();
    room.subscription = this.#bus.subscribe(
      subjectOf(room.handlerAlias, room.conversationId),
      this.#receiveHint,
    );
    room.listening = this.#bus.ready().then(() => {
      room.listening = undefined;
    });
  }
}

function isOf({ connection: { caller } }: Member, staffId: string): boolean {
  return caller.kind === 'staff' && caller.staffId === staffId;
}
