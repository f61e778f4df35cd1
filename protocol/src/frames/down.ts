import * as v from 'valibot';
import { type Conversation, VisitorConversation } from '../model/conversation.ts';
import { Uuid } from '../model/ids.ts';
import { commonFrames, conversationFrame, greeting, watchedFrame } from './downFrames.ts';
import type { StaffDown } from './staffDown.ts';

/** All that a visitor's page can be told. Nothing in it knows of staff. */
export const VisitorDown = v.variant('type', [
  ...commonFrames,
  conversationFrame(VisitorConversation),
  watchedFrame(VisitorConversation),
  v.object({ ...greeting, visitorId: v.optional(Uuid) }),
]);

/** All that the server says, to whomever. */
export type Down =
  | Exclude<v.InferOutput<typeof VisitorDown> | StaffDown, { type: 'watched' | 'conversation' }>
  | v.InferOutput<ReturnType<typeof watchedFrame<typeof Conversation>>>
  | v.InferOutput<ReturnType<typeof conversationFrame<typeof Conversation>>>;

/** The one close code after which a client must not come back by itself; the reason says why. */
export const CLOSE_FINAL = 4000;
export const CloseReason = v.picklist(['outdated', 'signed_out', 'too_many_sockets']);
export type CloseReason = v.InferOutput<typeof CloseReason>;

/** Close codes after which a client backs off and comes back: the server leaves, or wants a new token. */
export const CLOSE_RESTART = 1012;
export const CLOSE_TRY_LATER = 1013;
export const CLOSE_UNAUTHENTICATED = 1008;
