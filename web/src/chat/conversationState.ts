import type { Conversation } from '@settee/protocol/conversation';
import type { Down } from '@settee/protocol/down';
import type { Message, Sender } from '@settee/protocol/message';
import { emptyLog, type Log } from './log.ts';

export type OutboxEntry = { id: string; conversationId: string; text: string; at: number };

/**
 * storing: on its way into the outbox. waiting: may go. flying: sent, not yet acknowledged. acked: stored under a
 * number the log has not reached. failed: refused for good.
 */
export type PendingState = 'storing' | 'waiting' | 'flying' | 'acked' | 'failed';
export type Pending = {
  id: string;
  text: string;
  at: number;
  state: PendingState;
  /** Its number, once that is known. */
  seq?: number;
};

export type ConversationState = {
  id: string;
  me: Sender;
  line: 'down' | 'up';
  /** Whether this connection follows the conversation. */
  watch: 'none' | 'asked' | 'done';
  /** False until the first page came. */
  loaded: boolean;
  gone: boolean;
  view: Conversation | null;
  log: Log;
  /** Number of the newest message known to exist. */
  head: number;
  pending: readonly Pending[];
  /** A range was asked for and not answered yet. */
  asking: boolean;
  /** Backing off: nothing more goes out before `again`. */
  held: boolean;
  refusals: number;
  /** How far this side has read, and how far it said so on this connection. */
  looked: number;
  lookedSaid: number;
  typingUntil: number;
};

export type Frame<T extends Down['type']> = Extract<Down, { type: T }>;
export type ConversationEvent =
  | { type: 'up' }
  | { type: 'down' }
  | Frame<'watched'>
  | Frame<'message'>
  | Frame<'messages'>
  | Frame<'ack'>
  | Frame<'refused'>
  | Frame<'conversation'>
  | Frame<'gone'>
  | (Pick<Frame<'typing'>, 'type' | 'sender'> & { at: number })
  | { type: 'typingEnded'; at: number }
  | { type: 'send'; id: string; text: string; at: number }
  | { type: 'stored'; id: string }
  | { type: 'restored'; entries: readonly OutboxEntry[] }
  | { type: 'retry'; id: string }
  | { type: 'again' }
  | { type: 'looked'; seq: number }
  | { type: 'loadedOlder'; messages: readonly Message[] }
  | { type: 'letGo'; keep: number };

export function newConversation(id: string, me: Sender): ConversationState {
  return {
    id,
    me,
    line: 'down',
    watch: 'none',
    loaded: false,
    gone: false,
    view: null,
    log: emptyLog,
    head: 0,
    pending: [],
    asking: false,
    held: false,
    refusals: 0,
    looked: 0,
    lookedSaid: 0,
    typingUntil: 0,
  };
}
