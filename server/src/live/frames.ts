import { type ErrorCode, isRetryable } from '@settee/protocol/calls/errorCodes';
import { CLOSE_TRY_LATER } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import { accessToRead, recordViews } from '../actions/conversation/recordView.ts';
import { markSeen } from '../actions/message/markSeen.ts';
import { sendMessage } from '../actions/message/sendMessage.ts';
import type { App } from '../app.ts';
import { callerFromIdToken } from '../auth/callers.ts';
import { Refusal } from '../auth/refusal.ts';
import { isStored, readMessages } from '../db/message/messages.ts';
import { reason } from '../log/log.ts';
import { MessageSpan } from '../metrics/messageSpan.ts';
import type { SendOutcome } from '../metrics/metrics.ts';
import type { Connection } from './connection.ts';
import type { Hub } from './hub.ts';

/** Does what a frame asks. What it returns is awaited before the socket's next frame is looked at. */
export function handleFrame(
  app: App,
  hub: Hub,
  connection: Connection,
  frame: Up,
): Promise<void> | undefined {
  switch (frame.type) {
    case 'send':
    case 'sendMedia':
      send(app, hub, connection, frame);
      return undefined;
    case 'ping':
      connection.tell({ type: 'pong' });
      return undefined;
    case 'typing':
      hub.typing(connection, frame.conversationId);
      return undefined;
    case 'seen': {
      const member = hub.rooms.memberOf(connection, frame.conversationId);
      const { caller } = connection;
      return member && markSeen(app, { caller, side: member.side }, frame.conversationId, frame.seq);
    }
    case 'attend': {
      const member = hub.rooms.memberOf(connection, frame.conversationId);
      if (member !== undefined) hub.rooms.attend(member, frame.doing);
      return undefined;
    }
    case 'range':
      return range(app, connection, frame);
    case 'watch':
      return watch(app, hub, connection, frame);
    case 'unwatch': {
      const member = hub.rooms.memberOf(connection, frame.conversationId);
      if (member !== undefined) hub.rooms.leave(member);
      return undefined;
    }
    case 'watchQueue':
      return watchQueue(hub, connection);
    case 'watchManagement':
      watchManagement(hub, connection);
      return undefined;
    case 'renew':
      return renew(app, connection, frame.token);
    case 'hello':
      // One socket, one person: a second hello could only try to become someone else.
      throw new Refusal('bad_request');
  }
}

/**
 * Only a conversation that this socket watches takes a send: its access was judged at the watch, is
 * judged again whenever it changes, and once more inside the append. The result is not awaited, so
 * that one socket can have many messages under way; the appender keeps their order.
 */
function send(
  app: App,
  hub: Hub,
  connection: Connection,
  frame: Extract<Up, { type: 'send' | 'sendMedia' }>,
): void {
  const began = performance.now();
  const sent = (outcome: SendOutcome): void => app.metrics.sent(outcome, (performance.now() - began) / 1_000);
  const { conversationId, id, type: _, held, ...content } = { held: undefined, ...frame };
  const member = hub.rooms.memberOf(connection, conversationId);
  if (member === undefined) {
    connection.refuse('not_found', { conversationId, id });
    sent('refused');
    return;
  }
  const first = connection.resendFirst?.get(conversationId);
  if ((first !== undefined && first !== id) || !connection.budget.take()) {
    turnAway(connection, conversationId, id, 'too_many');
    sent('refused');
    if (first !== undefined && first !== id) void partIfStored(app, connection, conversationId, first);
    return;
  }
  connection.resendFirst?.delete(conversationId);
  connection.storing ??= new Set();
  connection.storing.add(id);
  const { side } = member;
  const span = MessageSpan.of(app.traces, { id, side, held });
  sendMessage(app, { caller: connection.caller, side }, { conversationId, id, ...content }, span)
    .then(
      ({ seq, createdAt }) => {
        connection.tell({ type: 'ack', conversationId, id, seq, createdAt });
        span?.end('stored');
        sent('acknowledged');
      },
      (error: unknown) => {
        const code = codeOf(app, error);
        turnAway(connection, conversationId, id, code);
        span?.refused(code);
        sent(code === 'unavailable' ? 'unknown' : 'refused');
        // What follows on this line was sent before the sender could know: only a new line starts in order.
        if (code === 'unavailable') connection.close(CLOSE_TRY_LATER, 'out of step');
      },
    )
    .finally(() => connection.storing?.delete(id));
}

function turnAway(connection: Connection, conversationId: string, id: string, code: ErrorCode): void {
  if (isRetryable(code) && connection.resendFirst?.has(conversationId) !== true) {
    connection.resendFirst ??= new Map();
    connection.resendFirst.set(conversationId, id);
  }
  connection.refuse(code, { conversationId, id });
}

/**
 * A message that was turned away may be stored all the same, by another copy of it, and its sender may
 * know: then it never comes again, and everything behind it would wait for ever.
 */
async function partIfStored(
  app: App,
  connection: Connection,
  conversationId: string,
  first: string,
): Promise<void> {
  const stored = await isStored(app.db, conversationId, first).catch(() => false);
  if (stored && connection.resendFirst?.get(conversationId) === first) {
    connection.close(CLOSE_TRY_LATER, 'out of step');
  }
}

async function watch(
  app: App,
  hub: Hub,
  connection: Connection,
  { conversationId, after }: Extract<Up, { type: 'watch' }>,
): Promise<void> {
  await recordViews(app, connection.caller, [conversationId]);
  await hub.rooms.watch(connection, conversationId, after);
}

async function range(
  app: App,
  connection: Connection,
  { conversationId, after }: Extract<Up, { type: 'range' }>,
): Promise<void> {
  const { conversation } = await accessToRead(app, connection.caller, conversationId);
  const messages = await readMessages(app.db, conversationId, { after });
  const head = Math.max(conversation.head, messages.at(-1)?.seq ?? 0);
  connection.tell({ type: 'messages', conversationId, messages, head });
}

async function watchQueue(hub: Hub, connection: Connection): Promise<void> {
  const { caller } = connection;
  if (caller.kind !== 'staff') throw new Refusal('not_found');
  if (caller.alias === null) connection.tell({ type: 'queue', rows: [] });
  else await hub.desks.watch(connection, caller.alias);
}

function watchManagement(hub: Hub, connection: Connection): void {
  const { caller } = connection;
  if (caller.kind !== 'staff' || caller.role !== 'admin') throw new Refusal('not_found');
  if (caller.overdue) throw new Refusal('second_factor_required');
  hub.management.watch(connection);
}

/** For staff only the time moves: role and desk are the sweep's to compare with the database. */
async function renew(app: App, connection: Connection, token: string): Promise<void> {
  const { caller, expiresAt } = await callerFromIdToken(app, token);
  const before = connection.caller;
  const same =
    caller.kind === 'visitor'
      ? before.kind === 'visitor' && caller.visitorId === before.visitorId
      : before.kind === 'staff' && caller.staffId === before.staffId;
  if (!same) throw new Refusal('unauthenticated');
  if (caller.kind === 'visitor') connection.caller = caller;
  connection.expiresAt = expiresAt;
}

/** The one place that decides what a failure is called on the wire. */
export function codeOf(app: App, error: unknown): ErrorCode {
  if (error instanceof Refusal) return error.code;
  app.log.error({ reason: reason(error) }, 'frame failed');
  return 'unavailable';
}
