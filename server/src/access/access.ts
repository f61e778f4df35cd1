import type { Away, StaffConversation, VisitorConversation } from '@settee/protocol/model/conversation';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { findNewCell } from '../platform/db/moved.ts';
import { type Caller, mayReadAt, reachOf } from '../platform/ports/caller.ts';
import { openingAt } from '../profile/openingHours.ts';
import {
  type ConversationRow,
  findForDesk,
  findForVisitor,
  hasDevice,
  isCredentialReplaced,
  readHeads,
} from './access.store.ts';
import { currentCode } from './codes.ts';

/** A conversation as one caller may see and use it. HTTP and sockets get it from `accessTo` only. */
export type Access = {
  caller: Caller;
  side: 'visitor' | 'owner';
  conversation: ConversationRow;
  isFirstDevice: boolean;
  /** For visitors, outside the desk's opening hours. */
  away: Away | null;
  /** When the desk next opens or closes; null when it has no hours. */
  hoursChangeAt: number | null;
  /** For the first device only: the current continue code, and when another device joined. */
  first?: Pick<VisitorConversation, 'continueCode' | 'joinedAt'>;
};

type Deps = Pick<App, 'db' | 'config' | 'clock'>;

/** Answers the same for a missing conversation and for one without access: `not_found`. */
export async function accessTo(app: Deps, caller: Caller, conversationId: string): Promise<Access> {
  const access = await findAccess(app, caller, conversationId);
  if (access === undefined) throw await refusalOf(app, caller, conversationId);
  return access;
}

async function refusalOf(app: Pick<App, 'db'>, caller: Caller, conversationId: string): Promise<Refusal> {
  return new Refusal((await isOutdated(app, caller, conversationId)) ? 'unauthenticated' : 'not_found');
}

/**
 * Whether a visitor's token was replaced in another tab, or the desk moved to another cell. They must sign in again
 * before we can say anything about their conversations. A visitor with another chat here stays, and the link of the
 * moved one brings them there.
 */
export async function isOutdated(
  { db }: Pick<App, 'db'>,
  caller: Caller,
  conversationId: string,
): Promise<boolean> {
  if (caller.kind === 'staff') return (await findNewCell(db, caller.sessionId)) !== undefined;
  if (await isCredentialReplaced(db, caller)) return true;
  return (await findNewCell(db, conversationId)) !== undefined && !(await hasDevice(db, caller));
}

/**
 * The result of `read`, unless the conversation left the handler's desks meanwhile: then some of it may have been written
 * after the hand-over.
 */
export async function readAs<Result>(
  { db }: Pick<App, 'db'>,
  { caller, conversation }: Access,
  read: () => Promise<Result>,
): Promise<Result> {
  const result = await read();
  if (reachOf(caller) === null) return result;
  const [now] = await readHeads(db, [conversation.id]);
  if (now === undefined || !mayReadAt(caller, now.handlerAlias))
    throw await refusalOf({ db }, caller, conversation.id);
  return result;
}

/** For an API key with a scope for conversations: it reads at every desk, like an administrator. */
export async function conversationForKey(
  { db }: Pick<App, 'db'>,
  conversationId: string,
): Promise<ConversationRow> {
  const conversation = await findForDesk(db, conversationId, null);
  if (conversation === undefined) throw new Refusal('not_found');
  return conversation;
}

export async function findAccess(
  app: Deps,
  caller: Caller,
  conversationId: string,
): Promise<Access | undefined> {
  if (caller.kind === 'visitor') {
    const row = await findForVisitor(app.db, conversationId, caller);
    if (row === undefined) return undefined;
    const { isFirstDevice, hours, awayMessage, code, joinedAt, ...found } = row;
    const conversation = { ...found, canMail: found.canMail && app.config.mail !== undefined };
    const opening = hours && openingAt(hours, app.clock.now());
    const away = opening?.open === false ? { message: awayMessage ?? '', until: opening.changesAt } : null;
    const hoursChangeAt = opening?.changesAt ?? null;
    const access: Access = { caller, side: 'visitor', conversation, isFirstDevice, away, hoursChangeAt };
    if (!isFirstDevice) return access;
    return {
      ...access,
      first: { continueCode: code && currentCode(app, conversation.inviteId, code), joinedAt },
    };
  }
  const conversation = await findForDesk(app.db, conversationId, reachOf(caller));
  const nothing = { isFirstDevice: false, away: null, hoursChangeAt: null };
  return conversation && { caller, side: 'owner', conversation, ...nothing };
}

/** What the caller may see. For a visitor, blocked looks like closed, and the desk is hidden. */
export function conversationView(access: Access): StaffConversation | VisitorConversation {
  const {
    handlerAlias,
    profile,
    unread,
    reopens,
    canErase,
    canMail,
    status,
    hiddenChanges,
    noAccess,
    ...shared
  } = access.conversation;
  if (access.side === 'owner') {
    const canSend = status === 'open' && noAccess !== 'revoked';
    return { ...shared, status, canSend, handlerAlias, unread, noAccess };
  }
  return {
    ...shared,
    rev: shared.rev - hiddenChanges,
    status: status === 'open' ? 'open' : 'closed',
    canSend: status === 'open' || reopens,
    isFirstDevice: access.isFirstDevice,
    away: access.away,
    joinedAt: null,
    ...access.first,
    canErase,
    canMail,
  };
}
