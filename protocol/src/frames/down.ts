import * as v from 'valibot';
import { type Conversation, VisitorConversation } from '../model/conversation.ts';
import { Uuid } from '../model/ids.ts';
import { commonFrames, conversationFrame, greeting, watchedFrame } from './downFrames.ts';
import type { StaffDown } from './staffDown.ts';

/** Every frame that a visitor's page can receive. None contains data about staff. */
export const VisitorDown = v.variant('type', [
  ...commonFrames,
  conversationFrame(VisitorConversation),
  watchedFrame(VisitorConversation),
  v.object({ ...greeting, visitorId: v.optional(Uuid) }),
]);

/** Every frame that the server sends. */
export type Down =
  | Exclude<v.InferOutput<typeof VisitorDown> | StaffDown, { type: 'watched' | 'conversation' }>
  | v.InferOutput<ReturnType<typeof watchedFrame<typeof Conversation>>>
  | v.InferOutput<ReturnType<typeof conversationFrame<typeof Conversation>>>;

/** After this close code a client must not reconnect by itself. The reason says why. */
export const CLOSE_FINAL = 4000;
export const CloseReason = v.picklist(['outdated', 'signed_out', 'too_many_sockets']);
export type CloseReason = v.InferOutput<typeof CloseReason>;

/** After these close codes a client waits and reconnects: the server stops, or needs a new token. */
export const CLOSE_RESTART = 1012;
export const CLOSE_TRY_LATER = 1013;
export const CLOSE_UNAUTHENTICATED = 1008;

/** The text of a 1013 for a client that sends too much. After any other 1013, the gateway could not serve. */
export const TOO_MANY_FRAMES = 'too many frames';

/** The longest wait that a page accepts. */
export const WAIT_MAX_MS = 60_000;

/**
 * The text of a close after which the client waits this long before it reconnects. A gateway spreads the waits, so that
 * not all clients return at once. Older pages ignore it.
 */
export function textWithWait(text: string, waitMs: number): string {
  return waitMs < 1 ? text : `${text} wait=${Math.min(WAIT_MAX_MS, Math.round(waitMs))}`;
}

/** The wait in the text of a close, in milliseconds. */
export function waitIn(text: string): number {
  return Math.min(WAIT_MAX_MS, Number(/ wait=(\d+)$/.exec(text)?.[1] ?? 0));
}
