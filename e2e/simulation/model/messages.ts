import { MESSAGE_PAGE, type Message } from '@settee/protocol/model/message';
import pg from 'pg';
import type { Row } from '../../../server/src/messages/appendCall.store.ts';
import type { Draft } from '../../../server/src/platform/ports/ports.ts';
import type { Effects } from './functions.ts';
import { type Columns, columnsOf, mediaOf } from './media.ts';
import { scheduleNotification } from './push.ts';
import { both, type ModelMessage, type State } from './state.ts';

const STORED = 0;
const REPEATED = 1;
const ID_REUSED = 2;
const CLOSED = 3;
const NOT_FOUND = 4;
const OUTDATED = 5;
const MEDIA_REFUSED = 6;

const PREVIEW_LENGTH = 140;
const SHORT_MAX = 4;
const DAY_MS = 86_400_000;

/**
 * The function append_messages of server/sql/append_messages.sql. All messages are judged by what was stored before the
 * batch, and then stored one by one.
 */
export function appendMessages(state: State, drafts: readonly Draft[], lookUp: boolean): Row[] {
  if (!lookUp && isShort(drafts)) {
    const unusual = drafts.findIndex((draft) => !isUsual(state, draft));
    const isWithoutDevice = drafts.some((draft) => !draft.fromOwner && !hasDevice(state, draft));
    if (unusual > 0 || (unusual === -1 && isWithoutDevice)) throw uniqueViolation('not for the short path');
    if (unusual === -1) return drafts.map((draft, index) => store(state, draft, index + 1));
  }
  return drafts
    .map((draft, index) => refuse(state, draft, index + 1, lookUp))
    .map((refused, index) => refused ?? store(state, drafts[index] as Draft, index + 1));
}

function isShort(drafts: readonly Draft[]): boolean {
  return (
    drafts.length <= SHORT_MAX &&
    drafts.every(
      ({ conversationId, mediaId }, index) =>
        mediaId === null && (index === 0 || conversationId > (drafts[index - 1]?.conversationId ?? '')),
    )
  );
}

/** An open conversation at this desk, where nothing was stored after what a staff member saw. */
function isUsual({ conversations }: State, { conversationId, fromOwner, alias, after }: Draft): boolean {
  const conversation = conversations.get(conversationId);
  if (conversation?.status !== 'open') return false;
  if (!fromOwner) return true;
  return isAt(conversation, alias) && (after === null || after === conversation.lastSeq);
}

function isAt({ handlerAlias }: { handlerAlias: string }, alias: string | null): boolean {
  return alias?.split(' ').includes(handlerAlias) ?? true;
}

function hasDevice({ devices }: State, { conversationId, authorId }: Draft): boolean {
  return devices.get(both(conversationId, authorId))?.revokedAt === null;
}

/** The answer for a message that will not be stored; undefined for one that will. */
function refuse(state: State, draft: Draft, item: number, lookUp: boolean): Row | undefined {
  const conversation = state.conversations.get(draft.conversationId);
  const isGuarded = draft.after !== null;
  const known = lookUp || isGuarded ? findMessage(state, draft) : undefined;
  const picture = pictureOf(state, draft);
  const answer = (outcome: number): Row =>
    [
      item,
      outcome,
      known?.seq ?? null,
      known?.createdAt ?? null,
      conversation?.unread ?? null,
      conversation?.handlerAlias ?? null,
      conversation === undefined ? null : conversation.rev + Number(conversation.status !== 'open'),
      picture ?? null,
    ] as Row;

  if (conversation === undefined) return answer(NOT_FOUND);
  const { fromOwner, alias } = draft;
  if (!(fromOwner ? isAt(conversation, alias) : hasDevice(state, draft))) return answer(NOT_FOUND);
  if (known !== undefined) {
    const isSame =
      known.text === draft.text && known.fromOwner === fromOwner && known.mediaId === draft.mediaId;
    return answer(isSame ? REPEATED : ID_REUSED);
  }
  if (draft.mediaId !== null && picture === undefined) return answer(MEDIA_REFUSED);
  const { status, closedAt, id } = conversation;
  const until = status === 'blocked' ? state.blocks.get(id)?.until : undefined;
  if (status === 'open' || (typeof until === 'number' && until <= state.now()))
    return isOutdated(state, draft) ? answer(OUTDATED) : undefined;
  const { reopenDays } = state.profile.settings;
  if (status === 'closed' && !fromOwner && (closedAt ?? 0) + reopenDays * DAY_MS > state.now())
    return undefined;
  return answer(CLOSED);
}

function findMessage({ messages }: State, { conversationId, id }: Draft) {
  return messages.get(conversationId)?.find((message) => message.id === id);
}

/** An image that this message may carry. */
function pictureOf(state: State, draft: Draft): Columns | undefined {
  const picture = draft.mediaId === null ? undefined : state.media.get(draft.mediaId);
  if (
    picture?.state !== 'ready' ||
    picture.conversationId !== draft.conversationId ||
    picture.fromOwner !== draft.fromOwner ||
    picture.authorId !== draft.authorId ||
    (picture.messageId !== null && picture.messageId !== draft.id)
  )
    return undefined;
  return columnsOf(state, picture.id);
}

/** Another staff member answered after what this one had seen. */
function isOutdated({ messages }: State, { conversationId, id, after, fromOwner }: Draft): boolean {
  if (!fromOwner || after === null) return false;
  return (messages.get(conversationId) ?? []).some(
    (message) => message.seq > after && message.fromOwner && message.id !== id,
  );
}

function store(state: State, draft: Draft, item: number): Row {
  const { conversationId, id, fromOwner, authorId, text, mediaId } = draft;
  const { conversations, messages } = state;
  const before = conversations.get(conversationId);
  if (before === undefined) throw new Error(`no conversation ${conversationId}`);
  if (findMessage(state, draft) !== undefined) throw uniqueViolation('the id is taken');
  const seq = before.lastSeq + 1;
  const at = Math.max(state.now(), before.lastMessageAt);
  const waitingSince = before.status === 'closed' ? null : before.waitingSince;
  const after = {
    ...before,
    lastSeq: seq,
    lastMessageAt: at,
    preview: mediaId === null ? leftPart(text) : '[Media]',
    previewFromOwner: fromOwner,
    unread: before.unread + Number(!fromOwner),
    waitingSince: fromOwner ? null : (waitingSince ?? at),
    markedUnread: before.markedUnread && !fromOwner,
    firstAskedAt: fromOwner ? before.firstAskedAt : (before.firstAskedAt ?? at),
    firstRepliedAt:
      fromOwner && before.firstAskedAt !== null ? (before.firstRepliedAt ?? at) : before.firstRepliedAt,
    status: 'open' as const,
    closedAt: null,
    rev: before.rev + Number(before.status !== 'open'),
  };
  conversations.set(conversationId, after);
  const message = { seq, id, fromOwner, authorId, createdAt: at, text, mediaId };
  messages.set(conversationId, [...(messages.get(conversationId) ?? []), message]);
  if (mediaId !== null) state.media.update(mediaId, { messageId: id });
  scheduleNotification(state, { conversationId, fromOwner, seq });
  const picture = columnsOf(state, mediaId) ?? null;
  return [item, STORED, seq, at, after.unread, after.handlerAlias, after.rev, picture];
}

/** As PostgreSQL counts characters. */
function leftPart(text: string): string {
  return text.length <= PREVIEW_LENGTH ? text : Array.from(text).slice(0, PREVIEW_LENGTH).join('');
}

function uniqueViolation(message: string): pg.DatabaseError {
  const error = new pg.DatabaseError(message, message.length, 'error');
  error.code = '23505';
  return error;
}

function messagesIn(state: State, conversationId: string): readonly ModelMessage[] {
  return state.messages.get(conversationId) ?? [];
}

export const messages = {
  readMessages: (
    state,
    conversationId,
    { after, before = Number.POSITIVE_INFINITY, limit = MESSAGE_PAGE } = {},
  ) => {
    const all = messagesIn(state, conversationId);
    const page =
      after === undefined
        ? all.filter(({ seq }) => seq < before).slice(-limit)
        : all.filter(({ seq }) => seq > after).slice(0, limit);
    return page.map(
      ({ seq, id, fromOwner, createdAt, text, mediaId }): Message => ({
        conversationId,
        seq,
        id,
        sender: fromOwner ? 'owner' : 'visitor',
        text,
        createdAt,
        ...mediaOf(state, mediaId),
      }),
    );
  },

  storedOf: (state, conversationId, ids) =>
    messagesIn(state, conversationId)
      .map(({ id }) => id)
      .filter((id) => ids.includes(id)),
} satisfies Effects;
