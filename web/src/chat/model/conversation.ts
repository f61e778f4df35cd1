import type { Up } from '@settee/protocol/frames/up';
import { cleanMessageText } from '@settee/protocol/model/cleanText';
import type { Conversation } from '@settee/protocol/model/conversation';
import { isRetryable } from '@settee/protocol/model/errorCodes';
import type { Message } from '@settee/protocol/model/message';
import {
  type ConversationEvent,
  type ConversationState,
  type Frame,
  hasStopped,
  newConversation,
  type Pending,
  type PendingState,
} from './conversationState.ts';
import { highestSeq, join, joinOlder, keepNewest, lastSeq, setAside, startLog } from './log.ts';
import type { Unsent } from './unsent.ts';

/** Messages in flight. If the server refuses one, it refuses all behind it, and each refusal costs points. */
const FLYING_MAX = 20;

/** How long a typing frame counts. */
const TYPING_LASTS_MS = 5_000;

/** The new state, the frames to send, the stored ids, whose record changes, and whether to call `again` later. */
export type Step = {
  state: ConversationState;
  up: Up[];
  settled: string[];
  marked: Pending[];
  backOff: boolean;
};

/**
 * Pure reducer: no network, clock or randomness. Messages are ordered by number. Several may be in flight: the server
 * stores one connection's messages in order, and after a temporary refusal it accepts no later one first.
 */
export function step(before: ConversationState, event: ConversationEvent): Step {
  const folded = leave(fold(before, event));
  const { state: next, settled } = settle(folded);
  const backOff = next.held && !before.held;
  const marked: Pending[] = [];
  for (const { id, state } of before.pending) {
    const now = folded.pending.find((p) => p.id === id);
    if (!now) settled.push(id);
    else if (unsentState(now.state) !== unsentState(state)) marked.push(now);
  }
  return { ...plan(next), settled, marked, backOff };
}

/** What the record of a pending message says. */
export function unsentState(state: PendingState): Unsent['state'] {
  return hasStopped(state) ? state : 'queued';
}

function fold(state: ConversationState, event: ConversationEvent): ConversationState {
  switch (event.type) {
    case 'up':
      return { ...onNewLine(state), line: 'up' };
    case 'down':
      return { ...onNewLine(state), line: 'down' };
    case 'again':
      return { ...onNewLine(state), line: state.line, watch: state.watch === 'done' ? 'done' : 'none' };
    case 'watched':
      return onWatched(state, event);
    case 'message':
      return arrived(state, [event.message]);
    case 'messages':
      return onRange(state, event);
    case 'ack':
      return onAck(state, event);
    case 'refused':
      return onRefused(state, event);
    case 'conversation':
      // The server ignores `seen` while the chat is at another desk. If it came back, report it again.
      return { ...withView(state, event.conversation), lookedSaid: 0 };
    case 'gone':
      return event.erased
        ? { ...newConversation(state.id, state.me), gone: true, erased: true }
        : { ...state, gone: true };
    case 'typing':
      return event.sender === state.me ? state : { ...state, typingUntil: event.at + TYPING_LASTS_MS };
    case 'typingEnded':
      return state.typingUntil > event.at ? state : { ...state, typingUntil: 0 };
    case 'send':
      return onSend(state, event);
    case 'stored':
      return mark(state, event.id, 'storing', 'waiting');
    case 'restored':
      return onRestored(state, event.entries);
    case 'retry':
      return onRetry(state, event.id);
    case 'dropped':
      return { ...state, pending: state.pending.filter((p) => p.id !== event.id || isQueued(p)) };
    case 'looked':
      return event.seq > state.looked ? { ...state, looked: event.seq } : state;
    case 'loadedOlder':
      return { ...state, log: joinOlder(state.log, event.messages) };
    case 'letGo':
      return { ...state, log: keepNewest(state.log, event.keep) };
  }
}

/** The state of messages in flight on the old connection is unknown. Send them again with the same ids. */
function onNewLine(state: ConversationState): ConversationState {
  const pending = state.pending.map((p) => (p.state === 'flying' ? { ...p, state: 'waiting' as const } : p));
  return { ...state, pending, watch: 'none', asking: false, held: false, lookedSaid: 0 };
}

function onWatched(state: ConversationState, frame: Frame<'watched'>): ConversationState {
  const log = state.loaded ? state.log : startLog(frame.messages, state.log.aside);
  const pending = state.loaded
    ? state.pending
    : state.pending.map((p) => ({ ...state.guarded?.viewAt(log, p.at), ...p }));
  const watching: ConversationState = { ...state, log, pending, loaded: true, watch: 'done', refusals: 0 };
  return arrived(withView(watching, frame.conversation), frame.messages);
}

function onRange(state: ConversationState, frame: Frame<'messages'>): ConversationState {
  const joined = arrived({ ...state, asking: false }, frame.messages);
  const head = Math.max(joined.head, frame.head);
  // Without this, an answer with nothing new would be requested again forever.
  const stuck = lastSeq(joined.log) === lastSeq(state.log) && head > lastSeq(joined.log);
  return stuck ? { ...joined, head, held: true, refusals: joined.refusals + 1 } : { ...joined, head };
}

function onAck(state: ConversationState, { id, seq, createdAt }: Frame<'ack'>): ConversationState {
  const own = state.pending.find((p) => p.id === id);
  // It belongs to another tab, or its `message` frame already settled it.
  if (!own) return { ...state, head: Math.max(state.head, seq) };
  const message: Message = {
    conversationId: state.id,
    seq,
    id,
    sender: state.me,
    text: own.text,
    createdAt,
    ...own.picture?.media,
  };
  return arrived({ ...state, refusals: 0 }, [message]);
}

function onRefused(state: ConversationState, { id, code }: Frame<'refused'>): ConversationState {
  if (id !== undefined && code === 'reply_outdated') return giveBack(state, id);
  // Also one that waits again, because another one in flight was refused for now.
  if (id !== undefined && !isRetryable(code))
    return mark(mark(state, id, 'flying', 'refused'), id, 'waiting', 'refused');
  if (id === undefined && code === 'not_found') return { ...state, gone: true };
  const watch = id === undefined && state.watch === 'asked' ? 'none' : state.watch;
  // Messages in flight behind it are refused too. Count one failure.
  const refusals = state.held ? state.refusals : state.refusals + 1;
  const waiting = { ...onNewLine(state), watch, held: true, refusals };
  // The answer to an earlier copy was final, but the server now expects this one before all others.
  return id === undefined ? waiting : mark(waiting, id, 'refused', 'waiting');
}

/** Another staff member answered first. Messages after it have the same outdated view. */
function giveBack(state: ConversationState, id: string): ConversationState {
  const first = state.pending.findIndex((p) => p.id === id && isUnderWay(p));
  if (first < 0) return state;
  const pending = state.pending.map((p, i) =>
    i >= first && isUnderWay(p) ? { ...p, state: 'returned' as const } : p,
  );
  // Request the newer messages now: they may not have arrived.
  return { ...state, pending, watch: 'none' };
}

/** Nothing more can be sent. Its writer may try again if the chat comes back. */
function leave(state: ConversationState): ConversationState {
  if (!state.gone || !state.pending.some(isUnderWay)) return state;
  return {
    ...state,
    pending: state.pending.map((p) => (isUnderWay(p) ? { ...p, state: 'refused' } : p)),
  };
}

/** Not refused or returned. */
export function isQueued({ state }: Pending): boolean {
  return !hasStopped(state);
}

function isUnderWay(p: Pending): boolean {
  return isQueued(p) && p.state !== 'acked';
}

/** Adds messages. A message with a pending id settles the pending one. */
function arrived(state: ConversationState, messages: readonly Message[]): ConversationState {
  const numbers = new Map(messages.map(({ id, seq }) => [id, seq]));
  const log = state.loaded ? join(state.log, messages) : setAside(state.log, messages);
  const stored = state.pending.filter((p) => p.seq === undefined && numbers.has(p.id));
  return {
    ...state,
    log,
    own: state.guarded && stored.length > 0 ? [...state.own, ...stored.map(({ id }) => id)] : state.own,
    head: Math.max(state.head, highestSeq(log)),
    pending: state.pending.map((p) => {
      const seq = numbers.get(p.id);
      return seq === undefined ? p : { ...p, state: 'acked', seq };
    }),
    typingUntil: messages.some((message) => message.sender !== state.me) ? 0 : state.typingUntil,
  };
}

function withView(state: ConversationState, view: Conversation): ConversationState {
  const head = Math.max(state.head, view.head);
  return state.view && view.rev < state.view.rev ? { ...state, head } : { ...state, view, head };
}

function onSend(
  state: ConversationState,
  { type: _, view, ...event }: Extract<ConversationEvent, { type: 'send' }>,
): ConversationState {
  const text = cleanMessageText(event.text);
  if (text === '' && !event.picture) return state;
  // An image may be added twice if its page closed just after the outbox stored it.
  if (state.pending.some((p) => p.id === event.id)) return state;
  const { guarded } = state;
  const held = event.names ? 'returned' : 'storing';
  const pending: Pending = { ...event, text, state: held, ...(view ?? guarded?.viewOf(state)) };
  // Store what the writer had seen, because another page could not know it.
  return { ...state, pending: [...state.pending, { ...pending, ...guarded?.seenOf(state, pending) }] };
}

/** Unsent messages of an earlier visit go first. Refused ones stay refused. */
function onRestored(state: ConversationState, entries: readonly Unsent[]): ConversationState {
  const known = new Set(state.pending.map((p) => p.id));
  const restored = entries
    .filter((entry) => entry.conversationId === state.id && !known.has(entry.id))
    .map(
      ({ conversationId: _, ...entry }): Pending => ({
        // An earlier visit did not store the view of a message written before the log loaded.
        ...(state.guarded && { after: 0 }),
        ...entry,
        state: hasStopped(entry.state) ? entry.state : 'waiting',
      }),
    );
  const behind = restored.at(-1)?.id;
  const since = state.pending.map((p, i) => (i === 0 && behind !== undefined ? { ...p, behind } : p));
  return { ...state, pending: [...restored, ...since] };
}

/** A retried message moves to the end. Its writer has seen everything before it, and why it was held. */
function onRetry(state: ConversationState, id: string): ConversationState {
  const stopped = state.pending.find((p) => p.id === id && !isQueued(p));
  if (!stopped) return state;
  const pending = state.pending.filter((p) => p !== stopped);
  const view = state.guarded?.viewOf({ ...state, pending });
  const again: Pending = { ...stopped, state: 'waiting', names: undefined, ...view };
  return { ...state, pending: [...pending, again] };
}

function mark(state: ConversationState, id: string, from: PendingState, to: PendingState): ConversationState {
  return {
    ...state,
    pending: state.pending.map((p) => (p.id === id && p.state === from ? { ...p, state: to } : p)),
  };
}

/** Removes pending messages that are in the log. Stored ones can leave the outbox. */
function settle(state: ConversationState): { state: ConversationState; settled: string[] } {
  if (state.pending.length === 0) return { state, settled: [] };
  const logged = new Set(state.log.messages.map((message) => message.id));
  const settled = state.pending.filter((p) => p.state === 'acked' || logged.has(p.id)).map((p) => p.id);
  // A message of an earlier visit may belong to a page that is not loaded.
  const first = state.loaded ? (state.log.messages[0]?.seq ?? 0) : 0;
  const pending = state.pending.filter((p) => !logged.has(p.id) && (p.seq === undefined || p.seq >= first));
  // Return the same state if nothing changed, to avoid a render.
  return { state: pending.length < state.pending.length ? { ...state, pending } : state, settled };
}

/** The frames to send now. The new state records them, so none is sent twice. */
function plan(state: ConversationState): { state: ConversationState; up: Up[] } {
  if (state.line === 'down' || state.gone || state.held) return { state, up: [] };
  const conversationId = state.id;
  const up: Up[] = [];
  let next = state;
  if (next.watch === 'none') {
    up.push({ type: 'watch', conversationId, ...(next.loaded && { after: lastSeq(next.log) }) });
    next = { ...next, watch: 'asked' };
  }
  if (next.watch === 'done' && !next.asking && lastSeq(next.log) < next.head) {
    up.push({ type: 'range', conversationId, after: lastSeq(next.log) });
    next = { ...next, asking: true };
  }
  for (const pending of next.watch === 'done' ? sendable(next) : []) {
    const { id, text, picture } = pending;
    up.push({
      ...(picture ? { type: 'sendMedia', mediaId: picture.mediaId } : { type: 'send', text }),
      conversationId,
      id,
      ...state.guarded?.seenOf(state, pending),
    });
    next = mark(next, id, 'waiting', 'flying');
  }
  if (next.watch === 'done' && unreadUpTo(next) > next.lookedSaid) {
    up.push({ type: 'seen', conversationId, seq: next.looked });
    next = { ...next, lookedSaid: next.looked };
  }
  return { state: next, up };
}

/** All messages that may be sent, in order. None overtakes one that is not in the outbox yet. */
function sendable(state: ConversationState): Pending[] {
  const { pending, guarded } = state;
  if (guarded) return guarded.sendable(state);
  const storing = pending.findIndex((p) => p.state === 'storing');
  const reached = storing === -1 ? pending : pending.slice(0, storing);
  const flying = pending.filter((p) => p.state === 'flying').length;
  return reached.filter((p) => p.state === 'waiting').slice(0, Math.max(0, FLYING_MAX - flying));
}

/** The read position, if it changed. Own messages do not count. */
function unreadUpTo({ view, me, looked, log }: ConversationState): number {
  const known = (me === 'visitor' ? view?.visitorSeen : view?.ownerSeen) ?? 0;
  // Search from the end, because this runs on every scroll.
  for (let i = log.messages.length - 1; i >= 0; i -= 1) {
    const { seq, sender } = log.messages[i] as Message;
    if (seq <= known) break;
    if (seq <= looked && sender !== me) return looked;
  }
  return 0;
}
