import type { Down } from '@settee/protocol/frames/down';
import type { Conversation } from '@settee/protocol/model/conversation';
import type { Message, Sender } from '@settee/protocol/model/message';
import { emptyLog, type Log } from './log.ts';
import type { OutgoingImage, Unsent, View } from './unsent.ts';

export type Guard = {
  /** What the writer has seen now. */
  viewOf(state: ConversationState): View;
  /** What the writer had seen at this time, before the log loaded. */
  viewAt(log: Log, at: number): View;
  /** The highest number that the view covers now. */
  seenOf(state: ConversationState, view: View): View;
  /** The messages that may be sent now. */
  sendable(state: ConversationState): Pending[];
};

/**
 * storing: being written to the outbox. waiting: may be sent. flying: sent, not acknowledged. acked: stored, but not in
 * the log yet. refused, returned: see UnsentState.
 */
export type PendingState = 'storing' | 'waiting' | 'flying' | 'acked' | 'refused' | 'returned';
/** Not sent, until its writer decides. */
export function hasStopped(state: string): state is 'refused' | 'returned' {
  return state === 'refused' || state === 'returned';
}

export type Pending = Omit<Unsent, 'state' | 'conversationId' | 'note' | 'tried'> & {
  state: PendingState;
  /** The number, once known. */
  seq?: number;
};

export type ConversationState = {
  id: string;
  me: Sender;
  /** Set if several people answer on this side. Each message states what its writer had seen and is sent alone. */
  guarded: Guard | undefined;
  line: 'down' | 'up';
  /** Whether this connection watches the conversation. */
  watch: 'none' | 'asked' | 'done';
  /** False until the first page arrived. */
  loaded: boolean;
  gone: boolean;
  /** Erased for everybody. */
  erased?: true;
  view: Conversation | null;
  log: Log;
  /** The highest known number. */
  head: number;
  pending: readonly Pending[];
  /** With guard: ids of stored messages by this writer. */
  own: readonly string[];
  /** A range request is pending. */
  asking: boolean;
  /** Backing off: send nothing before `again`. */
  held: boolean;
  refusals: number;
  /** The read position, and the one reported on this connection. */
  looked: number;
  lookedSaid: number;
  typingUntil: number;
};

export type Frame<T extends Down['type']> = Extract<Down, { type: T }>;
export type ConversationEvent =
  | { type: 'up' }
  | { type: 'down' }
  | Frame<'watched' | 'message' | 'messages' | 'ack' | 'refused' | 'conversation' | 'gone'>
  | (Pick<Frame<'typing'>, 'type' | 'sender'> & { at: number })
  | { type: 'typingEnded'; at: number }
  | {
      type: 'send';
      id: string;
      text: string;
      at: number;
      picture?: OutgoingImage;
      view?: View | undefined;
      names?: string | undefined;
    }
  | { type: 'stored'; id: string }
  | { type: 'restored'; entries: readonly Unsent[] }
  | { type: 'retry'; id: string }
  | { type: 'dropped'; id: string }
  | { type: 'again' }
  | { type: 'looked'; seq: number }
  | { type: 'loadedOlder'; messages: readonly Message[] }
  | { type: 'letGo'; keep: number };

export function newConversation(id: string, me: Sender, guarded?: Guard): ConversationState {
  return {
    id,
    me,
    guarded,
    line: 'down',
    watch: 'none',
    loaded: false,
    gone: false,
    view: null,
    log: emptyLog,
    head: 0,
    pending: [],
    own: [],
    asking: false,
    held: false,
    refusals: 0,
    looked: 0,
    lookedSaid: 0,
    typingUntil: 0,
  };
}

/** The frames that each open conversation follows itself. */
export type ConversationFrame = Extract<Down, { type: ConversationEvent['type'] }>;
