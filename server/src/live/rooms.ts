import type { Doing } from '@settee/protocol/model/colleague';
import { type Access, accessTo, conversationView } from '../access.ts';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import { readHeads } from '../db/conversation/conversations.ts';
import { readMessages } from '../db/message/messages.ts';
import { reason } from '../log/log.ts';
import type { Bus } from '../ports.ts';
import type { Connection } from './connection.ts';
import { decodeHint, encodeHint, subjectOf } from './hint.ts';
import { beginCounting, hearNote } from './lostNotes.ts';
import { type Heard, isMuted, type Member, mayReadAt, Room, type RoomKeeper } from './room.ts';
import { screenOf } from './visitorScreen.ts';

/** The rooms of this gateway: one per conversation that somebody here watches. */
export class Rooms {
  /** A visitor's socket came into this room or left it, or the room moved to another desk. */
  onVisitor: (room: Room) => void = () => {};
  readonly #app: App;
  readonly #bus: Bus;
  readonly #rooms = new Map<string, Room>();
  readonly #keeper: RoomKeeper = {
    leave: (member) => this.leave(member),
    // Handed over to another desk: its hints now come under another subject.
    moved: (room, rev) => {
      if (this.#rooms.get(room.conversationId) !== room) return;
      this.#listen(room);
      this.onVisitor(room);
      void room.listening?.then(() => this.#findMissed(room, rev));
    },
  };

  constructor(app: App, bus: Bus) {
    this.#app = app;
    this.#bus = bus;
  }

  get(conversationId: string): Room | undefined {
    return this.#rooms.get(conversationId);
  }

  /** The socket's place in the room of this conversation, if it watches it. */
  memberOf(connection: Connection, conversationId: string): Member | undefined {
    return this.#rooms.get(conversationId)?.members.find((member) => member.connection === connection);
  }

  all(): Iterable<Room> {
    return this.#rooms.values();
  }

  /** Lets a socket in: first into the room, then reading, so that nothing falls between the two. */
  async watch(connection: Connection, conversationId: string, after: number | undefined): Promise<void> {
    const access = await accessTo(this.#app, connection.caller, conversationId);
    // Who left meanwhile will not leave again: nobody would tidy up after them.
    if (!connection.isOpen()) return;
    const member = this.#enter(connection, access);
    const { room } = member;
    member.held ??= [];
    try {
      await Promise.all([room.listening, member.side === 'owner' && beginCounting(this.#app, room)]);
      const messages = await readMessages(this.#app.db, conversationId, { after });
      if (member.side === 'owner') await this.#checkDesk(member);
      // A refresh found that the right to be here ended, and said so.
      if (!room.members.includes(member)) return;
      connection.tell({ type: 'watched', conversation: conversationView(access), messages });
      const told = messages.at(-1)?.seq ?? after ?? 0;
      for (const { seq, frame } of member.held) {
        if (seq > told) connection.tellEncoded(frame);
      }
    } catch (error) {
      this.leave(member);
      throw error;
    }
    member.held = undefined;
    // The access was read before the room was entered: a change between the two is caught here.
    if (member.room.rev !== access.conversation.rev) this.refresh(conversationId);
    if (member.room.head < access.conversation.head) member.room.catchUp();
  }

  /** Asked after the messages were read: some may have been written after a hand-over. */
  async #checkDesk(member: Member): Promise<void> {
    const [now] = await readHeads(this.#app.db, [member.room.conversationId]);
    if (now === undefined || !mayReadAt(member, now.handlerAlias)) throw new Refusal('not_found');
  }

  #enter(connection: Connection, access: Access): Member {
    const present = this.memberOf(connection, access.conversation.id);
    if (present !== undefined) return present;
    let room = this.#rooms.get(access.conversation.id);
    if (room === undefined) {
      room = new Room(this.#app, this.#keeper, access.conversation);
      this.#rooms.set(room.conversationId, room);
      this.#listen(room);
    }
    const { side } = access;
    if (side === 'visitor') room.hoursChangeAt = access.hoursChangeAt;
    const screen = screenOf(access);
    const member: Member = {
      connection,
      room,
      side,
      held: undefined,
      attends: false,
      muted: isMuted(access),
      typedAt: Number.NEGATIVE_INFINITY,
      screen,
    };
    // Not by spreading, which grows: see Connection.watching.
    room.members = room.members.concat(member);
    connection.watching = connection.watching.concat(room.conversationId);
    if (side === 'visitor') this.onVisitor(room);
    return member;
  }

  hear(conversationId: string, heard: Heard & { rev: number }): void {
    const room = this.#rooms.get(conversationId);
    if (room === undefined) return;
    room.hear(heard);
    // A message can also change the conversation itself: it reopens a closed one.
    if (heard.rev > room.rev) this.refresh(conversationId);
  }

  leave(member: Member): void {
    const { room, connection } = member;
    room.members = room.members.filter((other) => other !== member);
    connection.watching = connection.watching.filter((id) => id !== room.conversationId);
    if (member.attends) this.attend(member, 'left');
    if (member.side === 'visitor') this.onVisitor(room);
    if (room.members.length > 0 || this.#rooms.get(room.conversationId) !== room) return;
    this.#rooms.delete(room.conversationId);
    room.subscription?.end();
  }

  /** Passes on what a member of staff does here. Nothing is kept but who has to be said to have left. */
  attend(member: Member, doing: Doing): void {
    const { room, connection } = member;
    const { caller } = connection;
    if (caller.kind !== 'staff' || (doing === 'left' && !member.attends)) return;
    const { staffId, name } = caller;
    member.attends = doing !== 'left';
    // In another of their windows here they are still there.
    if (doing === 'left' && room.members.some((other) => other.attends && isOf(other, staffId))) return;
    const attending = { staffId, name, doing };
    room.colleague(attending);
    this.#bus.publish(
      subjectOf(room.handlerAlias, room.conversationId),
      encodeHint({ kind: 'colleague', ...attending }),
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

  /** What was hinted under the new subject before this gateway listened to it. */
  async #findMissed(room: Room, rev: number): Promise<void> {
    try {
      const [now] = await readHeads(this.#app.db, [room.conversationId]);
      if (now === undefined) return;
      if (now.head > room.head) room.catchUp();
      if (now.rev > rev) this.refresh(room.conversationId);
    } catch (error) {
      // The next sweep finds the same.
      this.#app.log.warn({ reason: reason(error) }, 'catching up failed');
    }
  }

  #listen(room: Room): void {
    room.subscription?.end();
    const alias = room.handlerAlias;
    room.subscription = this.#bus.subscribe(subjectOf(alias, room.conversationId), (_, payload) => {
      const hint = decodeHint(payload);
      if (hint?.kind === 'message') this.hear(room.conversationId, { ...hint, alias });
      else if (hint?.kind === 'typing') room.typing(hint.side);
      else if (hint?.kind === 'note') hearNote(room, hint.alias, hint.frame);
      else if (hint?.kind === 'colleague') room.colleague(hint);
      else if (hint?.kind === 'changed') this.refresh(room.conversationId);
    });
    room.listening = this.#bus.ready().then(() => {
      room.listening = undefined;
    });
  }
}

function isOf({ connection: { caller } }: Member, staffId: string): boolean {
  return caller.kind === 'staff' && caller.staffId === staffId;
}
