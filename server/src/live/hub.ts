import type { ProfileSettings } from '@settee/protocol/calls/profileCalls';
import type { Topic } from '@settee/protocol/model/management';
import type { Note } from '@settee/protocol/model/note';
import { MAIN, type OwnProfile } from '@settee/protocol/model/profile';
import type { StaffSettings } from '@settee/protocol/model/staffSettings';
import { findClosed } from '../conversations/conversations.store.ts';
import type { App } from '../platform/app.ts';
import { linkOf } from '../platform/auth/inviteToken.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { listOnlineDesks } from '../platform/db/presenceLeases.ts';
import { Coalescer } from '../platform/limits/concurrency.ts';
import { logFailure } from '../platform/log/log.ts';
import { desksOf } from '../platform/ports/caller.ts';
import type { Announce, Bus, StoredMessage } from '../platform/ports/ports.ts';
import { findProfileOfLink, type ListedProfile, readProfiles } from '../profile/brand.store.ts';
import { type Connection, encode, type LiveProfile } from './connection.ts';
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
  /** Set by the sweep: checks at once whose access has ended. */
  checkAccess: () => void = () => {};
  /** Set by the socket server: the page shows all desks from now on, and makes them online. */
  showAllDesks: (connection: Connection) => void = () => {};
  readonly #app: App;
  readonly #bus: Bus;
  /** By slug. */
  readonly #profiles = new Map<string, LiveProfile>();
  /** The profiles of the desks that belong to another one than the first. */
  #deskProfiles: ReadonlyMap<string, LiveProfile> = new Map();
  readonly #profileRefresh = new Coalescer();
  /** The profiles that consoles show, if they do not only show the first one. */
  readonly #shown = new WeakMap<Connection, string>();

  constructor(app: App, bus: Bus, profiles: readonly ListedProfile[]) {
    this.#app = app;
    this.#bus = bus;
    this.#updateProfiles(profiles);
    this.rooms = new Rooms(app, bus);
    this.rooms.onProfile = (connection, slug) => this.#showProfile(connection, slug);
    this.desks = new Desks(app, bus, (alias) => this.profileOfDesk(alias).settings);
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

  /** Reads the public profiles, their settings and who is online, and sends what changed. */
  refreshProfile(): void {
    void this.#refreshProfiles();
  }

  #refreshProfiles(): Promise<void> {
    const { db, log } = this.#app;
    const refresh = async (): Promise<void> => {
      // First, so that the profile of each of these desks is known.
      const onlineDesks = await listOnlineDesks(db);
      this.#updateProfiles(await readProfiles(db));
      this.#updatePresence(onlineDesks);
    };
    return this.#profileRefresh.run(() => logFailure(log, 'profile not refreshed', refresh));
  }

  /** The profile that the visitor of a link sees before a chat. Without a link, the first one. */
  async profileOfLink(token: string | undefined): Promise<LiveProfile> {
    if (token === undefined) return this.#profileNamed(MAIN);
    return this.#profileNamed(await findProfileOfLink(this.#app.db, linkOf(token)));
  }

  profileOfDesk(alias: string | null): LiveProfile {
    return this.#deskProfiles.get(alias ?? '') ?? this.#known(MAIN);
  }

  /** The profiles of a person's desks, for the console; none if they all have the first one. */
  ownProfiles(connection: Connection): OwnProfile[] {
    const { caller } = connection;
    if (caller.kind === 'visitor' || this.#deskProfiles.size === 0) return [];
    const own = Map.groupBy(desksOf(caller), (alias) => this.profileOfDesk(alias));
    if ([...own.keys()].every(({ slug }) => slug === MAIN)) return [];
    const profiles = [...own].map(([{ slug, brand, settings }, desks]) => {
      const { displayName, avatarUrl, verified } = brand;
      return { slug, displayName, avatarUrl, verified, ...forStaff(settings), desks };
    });
    this.#shown.set(connection, JSON.stringify(profiles));
    return profiles;
  }

  #updateOwnProfiles(connection: Connection): void {
    const before = this.#shown.get(connection);
    const profiles = this.ownProfiles(connection);
    if (profiles.length > 0 && this.#shown.get(connection) !== before)
      connection.send({ type: 'profiles', profiles });
  }

  /** Never another one: this gateway may not have heard of a new profile yet. */
  async #profileNamed(slug: string): Promise<LiveProfile> {
    if (!this.#profiles.has(slug)) await this.#refreshProfiles();
    return this.#known(slug);
  }

  #known(slug: string): LiveProfile {
    const profile = this.#profiles.get(slug);
    if (profile === undefined) throw new Refusal('unavailable');
    return profile;
  }

  /**
   * In a chat, a visitor sees the profile of its desk. If there are several, it is always sent: the page may show another
   * one than its hello named, because it came from the cache of the service worker.
   */
  async #showProfile(connection: Connection, slug: string): Promise<void> {
    if (connection.profile.slug === slug && this.#profiles.size === 1) return;
    connection.profile = await this.#profileNamed(slug);
    connection.send({ type: 'brand', brand: connection.profile.brand });
  }

  #updatePresence(onlineDesks: readonly string[]): void {
    this.rooms.updatePresence(new Set(onlineDesks));
    const staffed = new Set(onlineDesks.map((alias) => this.profileOfDesk(alias)));
    for (const profile of this.#profiles.values()) {
      const online = staffed.has(profile);
      if (online === profile.online) continue;
      profile.online = online;
      const frame = encode({ type: 'presence', online });
      for (const connection of this.#connectionsOf(profile)) {
        if (connection.caller.kind === 'staff' || connection.watching.length === 0)
          connection.sendEncoded(frame);
      }
    }
  }

  #updateProfiles(listed: readonly ListedProfile[]): void {
    const desks = new Map<string, LiveProfile>();
    for (const each of listed) {
      const profile = this.#profiles.get(each.slug) ?? { ...each, online: false };
      this.#profiles.set(each.slug, profile);
      for (const alias of each.desks) desks.set(alias, profile);
    }
    // Before anything is sent to the rooms and queues of a profile.
    this.#deskProfiles = desks;
    for (const each of listed) this.#updateProfile(this.#known(each.slug), each);
    // The desk of somebody who just signed in may be new.
    for (const connection of this.connections) this.#followDesk(connection);
  }

  #followDesk(connection: Connection): void {
    const { caller } = connection;
    if (caller.kind !== 'staff') return;
    this.#updateOwnProfiles(connection);
    if (this.profileOfDesk(caller.alias) === connection.profile) return;
    connection.profile = this.profileOfDesk(caller.alias);
    const { brand, settings, online } = connection.profile;
    connection.send({ type: 'brand', brand });
    connection.send({ type: 'settings', settings: forStaff(settings) });
    connection.send({ type: 'presence', online });
    this.desks.recount();
  }

  #updateProfile(profile: LiveProfile, { brand, settings, hoursRev }: ListedProfile): void {
    const before = { ...profile };
    Object.assign(profile, { brand, settings, hoursRev });
    const { updatedAt, usualReplyMinutes } = before.brand;
    // The job that writes the usual reply time keeps `updatedAt`, so that browsers do not fetch the image again.
    if (brand.updatedAt !== updatedAt || brand.usualReplyMinutes !== usualReplyMinutes) {
      const frame = encode({ type: 'brand', brand });
      for (const connection of this.#connectionsOf(profile)) connection.sendEncoded(frame);
    }
    const { waitingMinutes, waitingLongMinutes, reopenDays } = before.settings;
    if (settings.waitingMinutes !== waitingMinutes || settings.waitingLongMinutes !== waitingLongMinutes) {
      const frame = encode({ type: 'settings', settings: forStaff(settings) });
      for (const connection of this.#connectionsOf(profile)) {
        if (connection.caller.kind === 'staff') connection.sendEncoded(frame);
      }
      this.desks.recount();
    }
    if (settings.reopenDays !== reopenDays) void this.#refreshClosed(profile);
    // Shows changed opening hours and away messages to visitors with an open chat.
    if (hoursRev !== before.hoursRev) void this.refreshVisitors(this.#roomsOf(profile));
  }

  #connectionsOf(profile: LiveProfile): Connection[] {
    return [...this.connections].filter((connection) => connection.profile === profile);
  }

  #roomsOf(profile: LiveProfile): Room[] {
    return [...this.rooms.all()].filter(({ handlerAlias }) => this.profileOfDesk(handlerAlias) === profile);
  }

  /** Whether a visitor can write in a closed conversation depends on the reopening window. */
  #refreshClosed(profile: LiveProfile): Promise<void> {
    return logFailure(this.#app.log, 'closed conversations not refreshed', async () => {
      const watched = this.#roomsOf(profile).map((room) => room.conversationId);
      for (const id of await findClosed(this.#app.db, watched)) await this.rooms.get(id)?.refresh();
    });
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

  #hint(handlerAlias: string, conversationId: string, hint: Hint): void {
    this.#bus.publish(subjectOf(handlerAlias, conversationId), encodeHint(hint));
  }
}

export function forStaff({ waitingMinutes, waitingLongMinutes }: ProfileSettings): StaffSettings {
  return { waitingMinutes, waitingLongMinutes };
}
