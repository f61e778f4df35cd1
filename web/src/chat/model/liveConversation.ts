import type { Down } from '@settee/protocol/frames/down';
import type { Conversation } from '@settee/protocol/model/conversation';
import type { Message, Sender } from '@settee/protocol/model/message';
import { createEmitter } from '../../browser/createStore.ts';
import { ANSWERED_CAP_MS, backOffDelay } from '../../net/backOff.ts';
import { type Clock, systemClock } from '../../net/clock.ts';
import type { Live } from '../../net/live.ts';
import { randomId } from '../../net/randomId.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { step, unsentState } from './conversation.ts';
import {
  type ConversationEvent,
  type ConversationState,
  type Guard,
  newConversation,
  type Pending,
} from './conversationState.ts';
import type { OutgoingImage, Unsent, View } from './unsent.ts';

/** Ask again after this time. The ids make it safe. */
const ANSWER_WITHIN_MS = 10_000;

/** Probe the connection if an answer takes this long. */
const PROBE_AFTER_MS = 4_000;

/** Interval between typing frames. The other side shows them for 5 s. */
export const TYPING_INTERVAL_MS = 3_000;

export type LiveConversation = {
  state(): ConversationState;
  subscribe(listener: () => void): () => void;
  /**
   * Resolves when the text is in the outbox, and fails after `stop`. Without a view, its writer has seen everything. With
   * `names`, it is held until its writer decides.
   */
  send(text: string, id?: string, view?: View, names?: string): Promise<void>;
  /** What a writer who began at this time, or now, has seen. Undefined before the log has loaded. */
  view(begunAt?: number): View | undefined;
  /** Sends an uploaded image under its upload's id, with the view at pick time. */
  sendImage(id: string, at: number, picture: OutgoingImage, view?: View): Promise<void>;
  retry(id: string): void;
  /** Removes a refused or returned message. */
  drop(id: string): void;
  /** Reads the outbox again. The service worker may have added messages. */
  restore(): Promise<void>;
  looked(seq: number): void;
  typing(): void;
  addOlder(messages: readonly Message[]): void;
  /** The answer to a call may arrive before the frame about the change. */
  update(conversation: Conversation): void;
  keepNewest(count: number): void;
  stop(): void;
};

type Parts = {
  id: string;
  me: Sender;
  guarded?: Guard | undefined;
  live: Live;
  outbox: Outbox;
  clock?: Clock;
  random?: () => number;
  createId?: () => string;
};

/** Connects the conversation reducer to a socket, an outbox and a clock. */
export function startLiveConversation(parts: Parts): LiveConversation {
  const { id, me, live, outbox, clock = systemClock, random = Math.random, createId = randomId } = parts;
  const changes = createEmitter();
  let state = newConversation(id, me, parts.guarded);
  let backOffTimer: unknown;
  let probeTimer: unknown;
  let answerTimer: unknown;
  let typingTimer: unknown;
  let typingSentAt = Number.NEGATIVE_INFINITY;
  let stopped = false;

  function dispatch(event: ConversationEvent): void {
    if (stopped) return;
    const before = state;
    const next = step(before, event);
    state = next.state;
    for (const frame of next.up) {
      const sent = live.traced() && frame.type === 'send' && state.pending.find((p) => p.id === frame.id);
      live.send(sent ? { ...frame, held: clock.now() - sent.at } : frame);
    }
    for (const settled of next.settled) void outbox.remove(settled).catch(logged);
    for (const marked of next.marked) {
      // Sent again by its writer, it moves to the end.
      void outbox[event.type === 'retry' ? 'put' : 'mark'](recordOf(marked)).catch(logged);
    }
    if (next.backOff) {
      clock.clearTimeout(backOffTimer);
      const tooMany = event.type === 'refused' && event.code === 'too_many';
      const delay = backOffDelay(state.refusals, random, tooMany ? undefined : ANSWERED_CAP_MS);
      backOffTimer = clock.setTimeout(again, delay);
    }
    if (next.up.length > 0) {
      // Not restarted, so that frequent messages do not hide a dead connection.
      probeTimer ??= clock.setTimeout(probe, PROBE_AFTER_MS);
      clock.clearTimeout(answerTimer);
      answerTimer = clock.setTimeout(againIfSilent, ANSWER_WITHIN_MS);
    }
    if (!isOwed()) {
      clock.clearTimeout(probeTimer);
      probeTimer = undefined;
    }
    if (state !== before) changes.emit();
  }

  function probe(): void {
    probeTimer = undefined;
    live.probe();
  }

  function again(): void {
    dispatch({ type: 'again' });
  }

  /** Whether an answer is pending on this connection. */
  function isOwed(): boolean {
    const flying = state.pending.some((p) => p.state === 'flying');
    return state.line === 'up' && (flying || Boolean(state.asking) || state.watch === 'asked');
  }

  function againIfSilent(): void {
    if (isOwed()) again();
  }

  function onFrame(frame: Down): void {
    switch (frame.type) {
      case 'watched':
      case 'conversation':
        if (frame.conversation.id === id) dispatch(frame);
        break;
      case 'message':
        if (frame.message.conversationId === id) dispatch(frame);
        break;
      case 'typing':
        if (frame.conversationId !== id) break;
        dispatch({ type: 'typing', sender: frame.sender, at: clock.now() });
        clock.clearTimeout(typingTimer);
        typingTimer = clock.setTimeout(
          () => dispatch({ type: 'typingEnded', at: clock.now() }),
          state.typingUntil - clock.now(),
        );
        break;
      case 'ack':
      case 'messages':
      case 'refused':
      case 'gone':
        if (frame.conversationId === id) dispatch(frame);
        break;
      default:
      // Other frames concern the page, not one conversation.
    }
  }

  function onStatus(): void {
    const line = live.status() === 'open' ? 'up' : 'down';
    if (line === state.line) return;
    clock.clearTimeout(backOffTimer);
    dispatch({ type: line });
  }

  function recordOf({ seq: _, ...pending }: Pending): Unsent {
    return { ...pending, conversationId: id, state: unsentState(pending.state) };
  }

  async function put(entry: Omit<Extract<ConversationEvent, { type: 'send' }>, 'type'>): Promise<void> {
    // The caller keeps it: a text becomes a draft again, and an image stays an upload.
    if (stopped) throw new Error('the conversation was left');
    dispatch({ type: 'send', ...entry });
    const own = state.pending.find((p) => p.id === entry.id);
    // Nothing was left of its text.
    if (!own) return outbox.remove(entry.id);
    await outbox.put(recordOf(own)).catch(logged);
    // Unsent messages of an earlier visit go first, even if the outbox opens slowly.
    await restored;
    dispatch({ type: 'stored', id: own.id });
  }

  function restore(): Promise<void> {
    return outbox.list(id).then((entries) => dispatch({ type: 'restored', entries }), logged);
  }

  const unsubscribe = [live.onFrame(onFrame), live.onStatus(onStatus)];
  const restored = restore().finally(onStatus);

  return {
    state: () => state,
    subscribe: changes.subscribe,
    async send(text, known = createId(), view?: View, names?: string) {
      // Its writer had not seen that yet.
      if (state.gone && parts.guarded) throw new Error('the conversation is gone');
      await put({ id: known, text, at: clock.now(), view, names });
    },
    view: () => (state.loaded ? (state.guarded?.viewOf(state) ?? {}) : undefined),
    sendImage: (pictureId, at, picture, view) => put({ id: pictureId, text: '', at, picture, view }),
    restore,
    retry: (pendingId) => dispatch({ type: 'retry', id: pendingId }),
    drop: (pendingId) => dispatch({ type: 'dropped', id: pendingId }),
    looked: (seq) => dispatch({ type: 'looked', seq }),
    typing() {
      if (state.line === 'down' || clock.now() - typingSentAt < TYPING_INTERVAL_MS) return;
      typingSentAt = clock.now();
      live.send({ type: 'typing', conversationId: id });
    },
    addOlder: (messages) => dispatch({ type: 'loadedOlder', messages }),
    update: (conversation) => dispatch({ type: 'conversation', conversation }),
    keepNewest: (keep) => dispatch({ type: 'letGo', keep }),
    stop() {
      // The server no longer watches a conversation that is gone.
      if (state.line === 'up' && !state.gone) live.send({ type: 'unwatch', conversationId: id });
      stopped = true;
      for (const timer of [backOffTimer, probeTimer, answerTimer, typingTimer]) clock.clearTimeout(timer);
      for (const off of unsubscribe) off();
    },
  };
}

/** Without an outbox, as in some private windows, the chat works but does not survive a reload. */
function logged(error: unknown): void {
  console.error('outbox:', error);
}
