import type { ProfileSettings } from '@settee/protocol/calls/profileCalls';
import type { Brand } from '@settee/protocol/model/brand';
import type { Topic } from '@settee/protocol/model/management';
import type { Note } from '@settee/protocol/model/note';
import type { StaffSettings } from '@settee/protocol/model/staffSettings';
import { findClosed } from '../conversations/conversations.store.ts';
import type { App } from '../platform/app.ts';
import { listOnlineDesks } from '../platform/db/presenceLeases.ts';
import { Coalescer } from '../platform/limits/concurrency.ts';
import { logFailure } from '../platform/log/log.ts';
import type { Announce, Bus, StoredMessage } from '../platform/ports/ports.ts';
import { type Profile, readProfile } from '../profile/brand.store.ts';
import { readHoursRev } from '../profile/deskHours.store.ts';
import { type Connection, encode } from './connection.ts';
import { Desks } from './desks.ts';
import { encodeHint, GLOBAL_SUBJECTS, type Hint, subjectOf } from './hint.ts';
import { Management } from './management.ts';
import { deliverNote } from './noteSweep.ts';
import type { Room } from './room.ts';
import { Rooms } from './rooms.ts';

/** Pages send `typing` every 3 s. Faster ones are dropped. */
const TYPING_INTERVAL_MS = 1_000;

const NO_PAYLOAD = new Uint8Array();

/** The live state of one gateway: its connections, rooms and desks. Publishes changes to them and to other gateways. */
export class Hub implements Announce {
  readonly connections = new Set<Connection>();
  readonly rooms: Rooms;
  readonly desks: Desks;
  readonly management: Management;
  brand: Brand;
  /** For staff only. */
  settings: StaffSettings;
  /** Whether anyone is online at any desk. A visitor in a chat sees that of its desk. */
  online = false;
  /** Set by the sweep: checks at once whose access has ended. */
  checkAccess: () => void = () => {};
  readonly #app: App;
  readonly #bus: Bus;
  #reopenDays: number;
  #hoursRev: number | undefined;
  readonly #profileRefresh = new Coalescer();

  constructor(app: App, bus: Bus, { brand, settings }: Profile) {
    this.#app = app;
    this.#bus = bus;
    this.brand = brand;
    this.settings = forStaff(settings);
    this.#reopenDays = settings.reopenDays;
    this.rooms = new Rooms(app, bus);
    this.desks = new Desks(app, bus, () => this.settings);
    this.management = new Management(app, bus);
    this.rooms.onActivity = ({ handlerAlias, conversationId }, activity) =>
      this.desks.get(handlerAlias)?.sendActivity(conversationId, activity);
    bus.subscribe(GLOBAL_SUBJECTS.access, () => this.checkAccess());
    bus.subscribe(GLOBAL_SUBJECTS.presence, () => this.refreshProfile());
    bus.subscribe(GLOBAL_SUBJECTS.brand, () => this.refreshProfile());
  }

  messageStored({ message, handlerAlias, unread, rev }: StoredMessage): void {
    const { conversationId, seq, createdAt } = message;
    const frame = encode({ type: 'message', message });
    this.rooms.receive(conversationId, { seq, rev, createdAt, frame, alias: handlerAlias, id: message.id });
    this.desks.get(handlerAlias)?.receive(message, unread);
    this.#hint(handlerAlias, conversationId, { kind: 'message', seq, unread, rev, createdAt, frame });
    this.management.touch('messages');
  }

  conversationChanged({ id, handlerAlias }: { id: string; handlerAlias: string }): void {
    this.rooms.refresh(id);
    this.desks.get(handlerAlias)?.reread(id);
    this.#hint(handlerAlias, id, { kind: 'changed' });
    this.management.touch('conversations');
  }

  noteAdded({ note, handlerAlias }: { note: Note; handlerAlias: string }): void {
    this.#sendNote(note, { subjectAlias: handlerAlias, readAt: handlerAlias });
  }

  /** Rooms at other gateways are still subscribed under the old desk. They find the new one when they refresh. */
  handedOver({ id, from, to, note }: { id: string; from: string; to: string; note: Note }): void {
    this.#sendNote(note, { subjectAlias: from, readAt: to });
    this.conversationChanged({ id, handlerAlias: from });
    this.desks.get(to)?.reread(id);
    this.#hint(to, id, { kind: 'changed' });
  }

  #sendNote(note: Note, { subjectAlias, readAt }: { subjectAlias: string; readAt: string }): void {
    const frame = encode({ type: 'note', note });
    const room = this.rooms.get(note.conversationId);
    if (room !== undefined) deliverNote(room, readAt, frame);
    this.#hint(subjectAlias, note.conversationId, { kind: 'note', alias: readAt, frame });
  }

  /** Not through the rooms: a visitor must not notice the change. */
  queueRowChanged({ id, handlerAlias }: { id: string; handlerAlias: string }): void {
    this.desks.get(handlerAlias)?.reread(id);
    this.#hint(handlerAlias, id, { kind: 'row' });
  }

  typing(connection: Connection, conversationId: string): void {
    const member = this.rooms.memberOf(connection, conversationId);
    const now = performance.now();
    if (member === undefined || member.muted || now - member.typedAt < TYPING_INTERVAL_MS) return;
    member.typedAt = now;
    member.room.sendTyping(member.side, connection);
    this.#hint(member.room.handlerAlias, conversationId, { kind: 'typing', side: member.side });
  }

  managementChanged(...topics: Topic[]): void {
    this.management.touch(...topics);
  }

  accessChanged(): void {
    this.checkAccess();
    this.management.touch('staff');
    this.#bus.publish(GLOBAL_SUBJECTS.access, NO_PAYLOAD);
  }

  presenceChanged(): void {
    this.refreshProfile();
    this.management.touch('staff');
    this.#bus.publish(GLOBAL_SUBJECTS.presence, NO_PAYLOAD);
  }

  brandChanged(): void {
    this.refreshProfile();
    this.management.touch('profile');
    this.#bus.publish(GLOBAL_SUBJECTS.brand, NO_PAYLOAD);
  }

  /** Reads the public profile, its settings and whether anyone is online, and sends what changed. */
  refreshProfile(): void {
    const { db, log } = this.#app;
    const refresh = async (): Promise<void> => {
      const [profile, onlineDesks, hoursRev] = await Promise.all([
        readProfile(db),
        listOnlineDesks(db),
        readHoursRev(db),
      ]);
      this.#updatePresence(onlineDesks);
      this.#updateProfile(profile);
      this.#updateHours(hoursRev);
    };
    void this.#profileRefresh.run(() => logFailure(log, 'profile not refreshed', refresh));
  }

  #updatePresence(onlineDesks: readonly string[]): void {
    this.rooms.updatePresence(new Set(onlineDesks));
    const online = onlineDesks.length > 0;
    if (online === this.online) return;
    this.online = online;
    const frame = encode({ type: 'presence', online });
    for (const connection of this.connections) {
      if (connection.caller.kind === 'staff' || connection.watching.length === 0)
        connection.sendEncoded(frame);
    }
  }

  #updateProfile({ brand, settings }: Profile): void {
    const { updatedAt, usualReplyMinutes } = this.brand;
    // The job that writes the usual reply time keeps `updatedAt`, so that browsers do not fetch the image again.
    if (brand.updatedAt !== updatedAt || brand.usualReplyMinutes !== usualReplyMinutes) {
      this.brand = brand;
      this.#sendToAll(encode({ type: 'brand', brand }));
    }
    const { waitingMinutes, waitingLongMinutes } = settings;
    const before = this.settings;
    if (waitingMinutes !== before.waitingMinutes || waitingLongMinutes !== before.waitingLongMinutes) {
      this.settings = forStaff(settings);
      const frame = encode({ type: 'settings', settings: this.settings });
      for (const connection of this.connections) {
        if (connection.caller.kind === 'staff') connection.sendEncoded(frame);
      }
      this.desks.recount();
    }
    if (settings.reopenDays !== this.#reopenDays) {
      this.#reopenDays = settings.reopenDays;
      void this.#refreshClosed();
    }
  }

  /** Whether a visitor can write in a closed conversation depends on the reopening window. */
  #refreshClosed(): Promise<void> {
    return logFailure(this.#app.log, 'closed conversations not refreshed', async () => {
      const watched = [...this.rooms.all()].map((room) => room.conversationId);
      for (const id of await findClosed(this.#app.db, watched)) await this.rooms.get(id)?.refresh();
    });
  }

  /** Shows changed opening hours and away messages to visitors with an open chat. */
  #updateHours(hoursRev: number): void {
    if (this.#hoursRev !== undefined && hoursRev !== this.#hoursRev) {
      void this.refreshVisitors([...this.rooms.all()]);
    }
    this.#hoursRev = hoursRev;
  }

  /** One room after another, because a whole desk opens or closes at once. */
  async refreshVisitors(rooms: Room[]): Promise<void> {
    for (const room of rooms) if (room.hasVisitor()) await room.refresh();
  }

  remove(connection: Connection): void {
    this.connections.delete(connection);
    this.desks.leave(connection);
    this.management.leave(connection);
    this.rooms.leaveAll(connection);
  }

  #sendToAll(frame: Buffer): void {
    for (const connection of this.connections) connection.sendEncoded(frame);
  }

  #hint(handlerAlias: string, conversationId: string, hint: Hint): void {
    this.#bus.publish(subjectOf(handlerAlias, conversationId), encodeHint(hint));
  }
}

function forStaff({ waitingMinutes, waitingLongMinutes }: ProfileSettings): StaffSettings {
  return { waitingMinutes, waitingLongMinutes };
}
