import type { CloseReason } from '@settee/protocol/frames/down';
import { StaffDown } from '@settee/protocol/frames/staffDown';
import { type Brand, defaultBrand } from '@settee/protocol/model/brand';
import type { Doing } from '@settee/protocol/model/colleague';
import type { Note } from '@settee/protocol/model/note';
import type { OwnProfile } from '@settee/protocol/model/profile';
import type { QueueKey, QueueShow } from '@settee/protocol/model/queue';
import type { HeldDesk } from '@settee/protocol/model/staff';
import { defaultSettings, type StaffSettings } from '@settee/protocol/model/staffSettings';
import { createEmitter, createStore } from '../browser/createStore.ts';
import type { ConversationFrame, Frame } from '../chat/model/conversationState.ts';
import { guard } from '../chat/model/guard.ts';
import { type LiveConversation, startLiveConversation } from '../chat/model/liveConversation.ts';
import { staffStorageKey } from '../chat/outbox/outbox.ts';
import type { UnsentStore } from '../chat/outbox/unsentStore.ts';
import type { Line } from '../chat/useLine.ts';
import { startBrowserLive } from '../net/browserLive.ts';
import { systemClock } from '../net/clock.ts';
import { randomId } from '../net/randomId.ts';
import type { SessionStore } from '../staff/session.ts';
import { colleaguesByChat } from './conversation/colleagues.ts';
import { otherNames } from './conversation/otherNames.ts';
import { withReading } from './conversation/reading.ts';
import { type ChatImages, chatImages, staffImages } from './images/chatImages.ts';
import { type OpenChats, openChats } from './openChats.ts';
import { type DeskQueues, deskQueues } from './queue/deskQueues.ts';
import { deskOf } from './queue/profileAt.ts';
import { resumeUnsent, resumeUploads } from './resumeUnsent.ts';

export type ConsoleState = DeskQueues & {
  /** The first desk, or the only one. Undefined until the gateway has sent it. */
  alias: string | null | undefined;
  /** The person's desks, if there are several. */
  desks: readonly HeldDesk[];
  /** The profiles of these desks, if there are several. */
  profiles: readonly OwnProfile[];
  ended: CloseReason | undefined;
  brand: Brand;
  /** Conversations whose visitors have a page open. */
  visitorsHere: ReadonlySet<string>;
  /** Counts connections whose queues have arrived. Changes between connections may have been missed. */
  deskReads: number;
  away: boolean;
  /** Settings by an administrator. */
  settings: StaffSettings;
};

export type Console = Pick<OpenChats, 'authorsOf' | 'keepAuthors'> & {
  get(): ConsoleState;
  line: Line;
  subscribe(listener: () => void): () => void;
  /** Returns the open conversation, or opens it and follows it. */
  openConversation(id: string): LiveConversation;
  /** Marks it as shown, until the returned function is called. */
  showConversation(conversation: LiveConversation): () => void;
  images: ChatImages;
  /** Opens conversations that are likely to be shown next. */
  preload(ids: readonly string[]): void;
  /** Reads the next page of a list of the queue, or all pages up to a row. Without desks: of all. */
  readQueue(show: QueueShow, until?: QueueKey, desks?: readonly string[]): void;
  /** Removes a conversation of this desk at once, without waiting for the server. */
  removeFromQueue(conversationId: string, desk: string | undefined): void;
  /** This person replied, or removed a conversation from the queue. */
  onOwnAction(listener: () => void): () => void;
  /** Conversations that left the queue, or changed outside of it. */
  onRemovedFromQueue(listener: (ids: readonly string[]) => void): () => void;
  onNote(listener: (note: Note) => void): () => void;
  /** A chat left the desk before its text was sent. */
  onLeftUnsent(listener: () => void): () => void;
  /** Reports to colleagues what this person does in a conversation. */
  attend(conversationId: string, doing: Doing): void;
  onColleague(listener: (frame: Frame<'colleague'>) => void): () => void;
  /** Colleagues in all chats of the desk. */
  colleagues: ReturnType<typeof colleaguesByChat>;
  /** The server has confirmed it and informs the person's other windows. */
  setAway(away: boolean): void;
  setOff(alias: string, off: boolean): void;
  stop(): void;
};

/** With one profile, no page mentions profiles. */
const several = (profiles: readonly OwnProfile[] = []) => (profiles.length > 1 ? profiles : []);

/** The console's socket, its queue and the open conversations. */
export function startConsole(
  session: SessionStore,
  staffId: string,
  outbox: UnsentStore,
  desks: readonly HeldDesk[] = [],
): Console {
  const { tokens } = session;
  const live = startBrowserLive(StaffDown, (fresh) => (fresh ? tokens.renew() : tokens.get()));
  const leftUnsent = createEmitter();
  const images = chatImages(() => staffImages(staffId, tokens));
  const chats = openChats(start, leftUnsent.emit, images.hasUnsent);
  const stopped = new AbortController();
  resumeUnsent(outbox, chats, stopped.signal).catch((error) => console.error('outbox:', error));
  resumeUploads(staffStorageKey(staffId), chats, images);
  const acted = createEmitter();
  const removed = createEmitter<[ids: readonly string[]]>();
  const notes = createEmitter<[note: Note]>();
  const colleagueReports = createEmitter<[frame: Frame<'colleague'>]>();
  const colleagues = colleaguesByChat(systemClock);
  const namesAnother = otherNames();
  const store = createStore<ConsoleState>({
    ended: undefined,
    brand: defaultBrand,
    alias: undefined,
    desks,
    profiles: [],
    queues: new Map(),
    queue: null,
    part: null,
    visitorsHere: new Set(),
    deskReads: 0,
    away: false,
    settings: defaultSettings,
  });

  function start(id: string): LiveConversation {
    const followed = startLiveConversation({
      id,
      me: 'owner',
      guarded: guard,
      live,
      outbox,
    });
    const wrote = (seq: number) => chats.authorsOf(id).get(seq)?.id === staffId;
    const conversation: LiveConversation = {
      ...withReading(followed, systemClock, wrote),
      send(text, messageId = randomId(), view) {
        const { profiles, queue } = store.get();
        const chat = followed.state().view ?? queue?.find(({ conversationId }) => conversationId === id);
        const names = namesAnother(profiles, deskOf(chat), { id: messageId, text });
        return followed.send(text, messageId, view, names);
      },
      stop() {
        images.close(conversation);
        followed.stop();
      },
    };
    return conversation;
  }

  /** By desk: a chat that moves between two of them arrives at one before it leaves the other. */
  const visitorsAt = new Map<string, readonly string[]>();
  /** Desks whose queues have not arrived on this connection. */
  let awaited = new Set<string>();
  const pages = deskQueues({ get: store.get, update: store.update, send: live.send });

  function hold(held: readonly HeldDesk[], first: string): void {
    const aliases = held.map(({ alias }) => alias);
    for (const alias of visitorsAt.keys()) if (!aliases.includes(alias)) visitorsAt.delete(alias);
    awaited = new Set(aliases);
    store.update({ desks: held });
    pages.hold(aliases, first);
  }

  live.onStatus(() => {
    if (live.endReason() === 'signed_out') return session.ended();
    store.update({ ended: live.endReason() });
  });

  live.onFrame((frame) => {
    switch (frame.type) {
      case 'welcome':
        store.update({ brand: frame.brand });
        // A visitor's `welcome` lacks these fields, but never arrives here.
        if (!('away' in frame)) return;
        store.update({
          alias: frame.staff?.alias,
          away: frame.away,
          settings: frame.settings,
          profiles: several(frame.profiles),
        });
        hold(frame.staff?.desks ?? [], frame.staff?.alias ?? '');
        // A gateway of the previous release refuses unknown fields.
        return live.send({
          type: 'watchQueue',
          ...(frame.queuePages && { paged: true }),
          ...(frame.staff?.desks && { desks: true }),
        });
      case 'brand':
        return store.update({ brand: frame.brand });
      case 'settings':
        return store.update({ settings: frame.settings });
      case 'profiles':
        return store.update({ profiles: several(frame.profiles) });
      case 'availability':
        return store.update({ away: frame.away, desks: frame.desks ?? store.get().desks });
      case 'queue':
        // Those of before are shown until the frame with the new ones, which follows.
        visitorsAt.delete(frame.alias ?? '');
        awaited.delete(frame.alias ?? '');
        if (awaited.size === 0) store.update({ deskReads: store.get().deskReads + 1 });
        return pages.begin(frame);
      case 'queueChange':
        pages.change(frame);
        return removed.emit(frame.gone);
      case 'queuePage':
        return pages.page(frame);
      case 'visitors': {
        const desk = frame.alias ?? '';
        const left = new Set(frame.left);
        const stayed = (visitorsAt.get(desk) ?? []).filter((id) => !left.has(id));
        visitorsAt.set(desk, [...stayed, ...frame.here]);
        return store.update({ visitorsHere: new Set([...visitorsAt.values()].flat()) });
      }
      case 'colleague':
        colleagues.receive(frame);
        return colleagueReports.emit(frame);
      case 'note':
        return notes.emit(frame.note);
      case 'ack':
        // The own message is stored.
        return acted.emit();
      default:
        // For conversations, visitors, the admin area and the socket.
        frame satisfies ConversationFrame | Frame<'presence' | 'managementChanged' | 'pong'>;
    }
  });

  return {
    get: store.get,
    line: live,
    subscribe: store.subscribe,
    openConversation: chats.open,
    showConversation: chats.show,
    authorsOf: chats.authorsOf,
    keepAuthors: chats.keepAuthors,
    images,
    preload: (ids) => ids.forEach(chats.open),
    readQueue: pages.read,
    removeFromQueue(conversationId, desk) {
      pages.remove(conversationId, desk);
      acted.emit();
    },
    onOwnAction: acted.subscribe,
    onRemovedFromQueue: removed.subscribe,
    onNote: notes.subscribe,
    onLeftUnsent: leftUnsent.subscribe,
    attend: (conversationId, doing) => live.send({ type: 'attend', conversationId, doing }),
    onColleague: colleagueReports.subscribe,
    colleagues,
    setAway: (away) => store.update({ away }),
    setOff: (alias, off) =>
      store.update({
        desks: store.get().desks.map((desk) => (desk.alias === alias ? { ...desk, off } : desk)),
      }),
    stop() {
      colleagues.stop();
      stopped.abort();
      images.stopAll();
      chats.stopAll();
      live.stop();
    },
  };
}
