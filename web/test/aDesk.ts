import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import { type Brand, defaultBrand } from '@settee/protocol/model/brand';
import { PREVIEW_MAX, QueueRow, StaffConversation } from '@settee/protocol/model/conversation';
import type { OwnProfile } from '@settee/protocol/model/profile';
import { countQueue, queuePage } from '@settee/protocol/model/queue';
import { StaffClaims } from '@settee/protocol/model/staff';
import { defaultSettings } from '@settee/protocol/model/staffSettings';
import * as v from 'valibot';
import { type Chat, conversationOf, fakeChats, idOf, type Line, messagesOf } from './chats.ts';
import { type Answers, type DownFrame, type FrameHandlers, Refused } from './fakeGateway.ts';

/** A queue row. `more` replaces fields. As everywhere here, optional fields have the default of their schema. */
export function aQueueRow(conversationId: string, more: Partial<QueueRow> = {}): QueueRow {
  return {
    ...v.getDefaults(QueueRow),
    conversationId,
    visitorId: conversationId,
    visitorName: '',
    lastMessageAt: 1,
    lastMessage: '',
    lastSender: null,
    unread: 0,
    head: 1,
    rev: 1,
    ...more,
  };
}

/** The staff member of the fake gateway. */
export const ana: StaffClaims = {
  ...v.getDefaults(StaffClaims),
  staffId: idOf('Ana Kovač'),
  name: 'Ana Kovač',
  role: 'handler',
  alias: 'mara-east',
};

export type DeskChat = Chat<'staff'> & { row: QueueRow };

/** An open chat of the desk with its queue row. Its id is `idOf(name)`. A line without a sender is the visitor's. */
export function aChat(
  name: string,
  lines: readonly Line[] = ['Hello'],
  different: { conversation?: Partial<StaffConversation>; row?: Partial<QueueRow> } = {},
): DeskChat {
  const messages = messagesOf(idOf(name), lines);
  const shared = conversationOf(name, messages);
  const unread = messages.filter(({ seq, sender }) => seq > shared.ownerSeen && sender === 'visitor');
  const newest = messages.at(-1);
  const conversation: StaffConversation = {
    ...v.getDefaults(StaffConversation),
    ...shared,
    handlerAlias: ana.alias ?? '',
    unread: unread.length,
    ...different.conversation,
  };
  const { id, visitorId, visitorName, lastMessageAt, head, rev, noAccess } = conversation;
  const row = aQueueRow(id, {
    visitorId,
    visitorName,
    lastMessageAt,
    lastMessage: newest?.text.slice(0, PREVIEW_MAX) ?? '',
    lastSender: newest?.sender ?? null,
    unread: conversation.unread,
    head,
    rev,
    noAccess,
    waitingSince: unread[0]?.createdAt ?? null,
    ...different.row,
  });
  return { conversation, messages, row };
}

export type DeskParts = {
  staff?: Partial<StaffClaims>;
  chats?: DeskChat[];
  brand?: Partial<Brand>;
  /** For a person with several. */
  profiles?: OwnProfile[];
  /** The staff member is marked as away. */
  away?: boolean;
};

/** The session and the socket that every page of staff needs. */
export function staffSession({ staff: different, brand, profiles, away = false }: DeskParts) {
  const staff: StaffClaims = { ...ana, ...different };
  const token = () => ({ idToken: 'id-token', expiresAt: Date.now() + 3_600_000 });
  const profile: Brand = { ...defaultBrand, ...brand };
  const welcome = (): DownFrame<'staff'> => ({
    type: 'welcome',
    version: PROTOCOL_VERSION,
    serverTime: Date.now(),
    brand: profile,
    online: true,
    staff,
    away,
    ...(profiles && { profiles }),
    queuePages: true,
  });
  const answers: Answers = {
    refreshStaff: () => ({ staff, ...token() }),
    signInStaff: () => ({ staff, ...token() }),
    signOutStaff: {},
    readSignIn: { singleSignOn: null },
    readBrand: { brand: profile, online: true },
    readPushKey: { publicKey: null },
  };
  const frames: FrameHandlers<'staff'> = { hello: () => [welcome()], ping: () => [{ type: 'pong' }] };
  return { staff, answers, frames };
}

const rowsOf = (chats: readonly DeskChat[]) => chats.map(({ row }) => row);

const atDesk = (chats: readonly DeskChat[], alias: string | undefined) =>
  chats.filter(({ conversation }) => alias === undefined || conversation.handlerAlias === alias);

/** The first page of the queue. */
export function queueOf(chats: readonly DeskChat[]) {
  const all = rowsOf(chats);
  const { rows, more } = queuePage(all, 'all');
  return { rows, ...(more && { counts: countQueue(all, Date.now(), defaultSettings) }) };
}

/** What the gateway answers to a console. */
export function aDesk(parts: DeskParts) {
  const { chats = [aChat('Jonas Weber')] } = parts;
  const session = staffSession(parts);
  const conversations = fakeChats('staff', chats);
  const answers: Answers = {
    ...session.answers,
    ...conversations.answers,
    readQueue: () => queueOf(chats),
    readClosed: { rows: [], next: null },
    readNotes: { notes: [] },
    readAuthors: { authors: [] },
    readReplies: { replies: [] },
    readDesks: { desks: [{ alias: ana.alias ?? '', people: [ana.name], online: true }] },
    readDevices: { devices: [] },
    readDetails({ params }) {
      const chat = chats.find(({ conversation }) => conversation.id === params.id);
      return {
        details: {
          inviteLabel: 'Spring tour',
          startedAt: chat?.conversation.createdAt ?? Date.now(),
          messages: chat?.messages.length ?? 0,
          devices: 1,
          medianReplyMs: null,
        },
      };
    },
    search: { conversations: [], messages: [], complete: true },
    setStatus({ params, body }) {
      const conversation = chats.find((chat) => chat.conversation.id === params.id)?.conversation;
      if (!conversation) return new Refused('not_found');
      conversation.status = body.status;
      conversation.rev += 1;
      return { conversation };
    },
    setDeskOff: ({ body }) => body,
    setAvailability: ({ body }) => ({ away: body.away }),
    markUnread: {},
    snooze: {},
  };
  const frames: FrameHandlers<'staff'> = {
    ...conversations.frames,
    ...session.frames,
    watchQueue: ({ desks }) => [
      ...(desks && session.staff.desks
        ? session.staff.desks.map(({ alias }) => ({
            type: 'queue' as const,
            alias,
            ...queueOf(atDesk(chats, alias)),
          }))
        : [{ type: 'queue' as const, ...queueOf(chats) }]),
      { type: 'visitors', here: [], left: [] },
    ],
    queuePage: ({ show, after, alias }) => [
      {
        type: 'queuePage',
        ...(alias && { alias }),
        show,
        ...queuePage(rowsOf(atDesk(chats, alias)), show, after),
      },
    ],
  };
  return { staff: session.staff, answers, frames, chats };
}
