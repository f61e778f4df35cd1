import type { ProfileSettings } from '@settee/protocol/calls/profileCalls';
import type { Brand } from '@settee/protocol/model/brand';
import type { Topic } from '@settee/protocol/model/management';
import type { Note } from '@settee/protocol/model/note';
import type { StaffSettings } from '@settee/protocol/model/staffSettings';
import type { App } from '../app.ts';
import { findClosed } from '../db/conversation/conversations.ts';
import { type Profile, readProfile } from '../db/profile/brand.ts';
import { readHoursRev } from '../db/profile/deskHours.ts';
import { isAnyoneOnline } from '../db/staff/presence.ts';
import { Coalescer } from '../limits/concurrency.ts';
import { reason } from '../log/log.ts';
import type { Announce, Bus, StoredMessage } from '../ports.ts';
import type { Connection } from './connection.ts';
import { Desks } from './desks.ts';
import { encode } from './encode.ts';
import { encodeHint, GLOBAL_SUBJECTS, type Hint, subjectOf } from './hint.ts';
import { hearNote } from './lostNotes.ts';
import { Management } from './management.ts';
import type { Room } from './room.ts';
import { Rooms } from './rooms.ts';

/** Pages say it every 3 s; what comes faster than this would only cost everybody who listens. */
const TYPING_EVERY_MS = 1_000;

const NO_PAYLOAD = new Uint8Array();

/** Everything live at one gateway: who is connected, what they watch, and how news travels. */
export class Hub implements Announce {
  readonly connections = new Set<Connection>();
  readonly rooms: Rooms;
  readonly desks: Desks;
  readonly management: Management;
  brand: Brand;
  /** For staff's sockets alone. */
  settings: StaffSettings;
  online = false;
  /** Set by the sweep: looks at once at whose access ended. */
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
    this.desks = new Desks(app, bus);
    this.management = new Management(app, bus);
    bus.subscribe(GLOBAL_SUBJECTS.access, () => this.checkAccess());
    bus.subscribe(GLOBAL_SUBJECTS.presence, () => this.refreshProfile());
    bus.subscribe(GLOBAL_SUBJECTS.brand, () => this.refreshProfile());
  }

  messageStored({ message, handlerAlias, unread, rev }: StoredMessage): void {
    const { conversationId, seq, createdAt } = message;
    const frame = encode({ type: 'message', message });
    this.rooms.hear(conversationId, { seq, rev, createdAt, frame, alias: handlerAlias, id: message.id });
    this.desks.get(handlerAlias)?.hear(message, unread);
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
    this.#tellNote(note, { heardUnder: handlerAlias, readAt: handlerAlias });
  }

  /** Rooms at other gateways still listen under the desk it came from; what they then read leads them on. */
  handedOver({ id, from, to, note }: { id: string; from: string; to: string; note: Note }): void {
    this.#tellNote(note, { heardUnder: from, readAt: to });
    this.conversationChanged({ id, handlerAlias: from });
    this.desks.get(to)?.reread(id);
    this.#hint(to, id, { kind: 'changed' });
    this.management.touch('audit');
  }

  #tellNote(note: Note, { heardUnder, readAt }: { heardUnder: string; readAt: string }): void {
    const frame = encode({ type: 'note', note });
    const room = this.rooms.get(note.conversationId);
    if (room !== undefined) hearNote(room, readAt, frame);
    this.#hint(heardUnder, note.conversationId, { kind: 'note', alias: readAt, frame });
  }

  /** Past the rooms: a visitor must not learn that anything happened. */
  queueRowChanged({ id, handlerAlias }: { id: string; handlerAlias: string }): void {
    this.desks.get(handlerAlias)?.reread(id);
    this.#hint(handlerAlias, id, { kind: 'row' });
  }

  typing(connection: Connection, conversationId: string): void {
    const member = this.rooms.memberOf(connection, conversationId);
    const now = performance.now();
    if (member === undefined || member.muted || now - member.typedAt < TYPING_EVERY_MS) return;
    member.typedAt = now;
    member.room.typing(member.side, connection);
    this.#hint(member.room.handlerAlias, conversationId, { kind: 'typing', side: member.side });
  }

  managementChanged(...topics: Topic[]): void {
    this.management.touch(...topics);
  }

  accessChanged(): void {
    this.checkAccess();
    this.management.touch('staff', 'audit');
    this.#bus.publish(GLOBAL_SUBJECTS.access, NO_PAYLOAD);
  }

  presenceChanged(): void {
    this.refreshProfile();
    this.management.touch('staff');
    this.#bus.publish(GLOBAL_SUBJECTS.presence, NO_PAYLOAD);
  }

  brandChanged(): void {
    this.refreshProfile();
    this.management.touch('profile', 'audit');
    this.#bus.publish(GLOBAL_SUBJECTS.brand, NO_PAYLOAD);
  }

  /**
   * Reads the public profile, what is set beside it and whether anyone is there, and tells who may know what changed.
   */
  refreshProfile(): void {
    void this.#profileRefresh.run(async () => {
      try {
        const [profile, online, hoursRev] = await Promise.all([
          readProfile(this.#app.db),
          isAnyoneOnline(this.#app.db),
          readHoursRev(this.#app.db),
        ]);
        this.#takePresence(online);
        this.#takeProfile(profile);
        this.#takeHours(hoursRev);
      } catch (error) {
        this.#app.log.warn({ reason: reason(error) }, 'profile not refreshed');
      }
    });
  }

  #takePresence(online: boolean): void {
    if (online === this.online) return;
    this.online = online;
    this.#tellAll(encode({ type: 'presence', online }));
  }

  #takeProfile({ brand, settings }: Profile): void {
    const told = this.brand;
    // A job writes the usual reply time, and leaves the time of the change alone: the picture is not fetched again.
    if (brand.updatedAt !== told.updatedAt || brand.usualReplyMinutes !== told.usualReplyMinutes) {
      this.brand = brand;
      this.#tellAll(encode({ type: 'brand', brand }));
    }
    const { waitingMinutes, waitingLongMinutes } = settings;
    const before = this.settings;
    if (waitingMinutes !== before.waitingMinutes || waitingLongMinutes !== before.waitingLongMinutes) {
      this.settings = forStaff(settings);
      const frame = encode({ type: 'settings', settings: this.settings });
      for (const connection of this.connections) {
        if (connection.caller.kind === 'staff') connection.tellEncoded(frame);
      }
    }
    if (settings.reopenDays !== this.#reopenDays) {
      this.#reopenDays = settings.reopenDays;
      void this.#judgeClosed();
    }
  }

  /** Whether a visitor can write in a closed conversation depends on the reopening window: those on show are shown anew. */
  async #judgeClosed(): Promise<void> {
    try {
      const watched = [...this.rooms.all()].map((room) => room.conversationId);
      for (const id of await findClosed(this.#app.db, watched)) await this.rooms.get(id)?.refresh();
    } catch (error) {
      this.#app.log.warn({ reason: reason(error) }, 'closed conversations not judged anew');
    }
  }

  /** Opening hours or the away message changed: visitors who have a chat open see it. */
  #takeHours(hoursRev: number): void {
    if (this.#hoursRev !== undefined && hoursRev !== this.#hoursRev) {
      void this.showHours([...this.rooms.all()]);
    }
    this.#hoursRev = hoursRev;
  }

  /** Shows visitors whether the desk is open now: one room after another, because a whole desk closes at once. */
  async showHours(rooms: Room[]): Promise<void> {
    for (const room of rooms) if (room.hasVisitor()) await room.refresh();
  }

  leave(connection: Connection): void {
    this.connections.delete(connection);
    this.desks.leave(connection);
    this.management.leave(connection);
    this.rooms.leaveAll(connection);
  }

  #tellAll(frame: Buffer): void {
    for (const connection of this.connections) connection.tellEncoded(frame);
  }

  #hint(handlerAlias: string, conversationId: string, hint: Hint): void {
    this.#bus.publish(subjectOf(handlerAlias, conversationId), encodeHint(hint));
  }
}

function forStaff({ waitingMinutes, waitingLongMinutes }: ProfileSettings): StaffSettings {
  return { waitingMinutes, waitingLongMinutes };
}
