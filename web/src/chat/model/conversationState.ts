import type { Down } from '@settee/protocol/frames/down';
import type { Conversation } from '@settee/protocol/model/conversation';
import type { Message, Sender } from '@settee/protocol/model/message';
import type { MessageMedia } from '@settee/protocol/model/messageMedia';
import { emptyLog, type Log } from './log.ts';

export type OutboxEntry = {
  id: string;
  conversationId: string;
  text: string;
  at: number;
  picture?: OutgoingImage;
  /** The server refused it for good, and its writer has not asked for it again. */
  refused?: boolean;
} & View;

/** An image in the place of text: uploaded, looked at by the server, and described by it. */
export type OutgoingImage = { mediaId: string; media: MessageMedia };

/** What the writer of a guarded message had seen: all up to a number, and an own message written just before. */
export type View = { after?: number; behind?: string };

export type Guard = {
  /** What somebody who writes now has seen. */
  viewOf(state: ConversationState): View;
  /** What somebody had seen who wrote at this time, before the messages were loaded. */
  viewAt(log: Log, at: number): View;
  /** How far that goes by now; nothing where nothing is known. */
  seenOf(state: ConversationState, view: View): View;
  /** What may go now. */
  sendable(state: ConversationState): Pending[];
};

/**
 * storing: on its way into the outbox. waiting: may go. flying: sent, not yet acknowledged. acked: stored under a
 * number the log has not reached. failed: refused for good.
 */
export type PendingState = 'storing' | 'waiting' | 'flying' | 'acked' | 'failed';
export type Pending = {
  id: string;
  text: string;
  at: number;
  picture?: OutgoingImage;
  state: PendingState;
  /** Its number, once that is known. */
  seq?: number;
} & View;

export type ConversationState = {
  id: string;
  me: Sender;
  /** Several people answer on this side: each message says what its writer had seen, and goes alone. */
  guarded: Guard | undefined;
  line: 'down' | 'up';
  /** Whether this connection follows the conversation. */
  watch: 'none' | 'asked' | 'done';
  /** False until the first page came. */
  loaded: boolean;
  gone: boolean;
  /** Gone for everybody. */
  erased?: true;
  view: Conversation | null;
  log: Log;
  /** Number of the newest message known to exist. */
  head: number;
  pending: readonly Pending[];
  /** Guarded: which of the stored messages this page knows to be its writer's own. */
  own: readonly string[];
  /** Words that were not sent because somebody else had answered: for the writer to look at again. Empty for an image. */
  handedBack: readonly string[];
  /** The messages that those words were, in the same order. */
  handedBackIds: readonly string[];
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
  | { type: 'send'; id: string; text: string; at: number; picture?: OutgoingImage; view?: View | undefined }
  | { type: 'stored'; id: string }
  | { type: 'restored'; entries: readonly OutboxEntry[] }
  | { type: 'retry'; id: string }
  | { type: 'dropped'; id: string }
  | { type: 'tookBack' }
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
    handedBack: [],
    handedBackIds: [],
    asking: false,
    held: false,
    refusals: 0,
    looked: 0,
    lookedSaid: 0,
    typingUntil: 0,
  };
}
