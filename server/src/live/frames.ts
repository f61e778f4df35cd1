import type { Up } from '@settee/protocol/frames/up';
import { type ErrorCode, isRetryable } from '@settee/protocol/model/errorCodes';
import { queuePageSize } from '@settee/protocol/model/queue';
import { markSeen } from '../conversations/markSeen.ts';
import { readPage, recordViews } from '../conversations/recordView.ts';
import { MessageSpan } from '../messages/messageSpan.ts';
import { storedOf } from '../messages/messages.store.ts';
import { sendMessage } from '../messages/sendMessage.ts';
import { type App, isBusy } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { Overloaded } from '../platform/limits/overloaded.ts';
import { frameCosts } from '../platform/limits/table.ts';
import { reason } from '../platform/log/log.ts';
import type { SendOutcome } from '../platform/metrics/metrics.ts';
import { desksOf } from '../platform/ports/caller.ts';
import { callerFromIdToken } from '../staff/callers.ts';
import type { Connection, RefusedForNow } from './connection.ts';
import type { Hub } from './hub.ts';
import { recordRefusedFrame } from './refusedFrames.ts';

/** Maximum refused messages of a conversation, and refused watches, that a socket must send again. */
const REFUSED_MAX = 200;

/** Handles one frame. The returned promise delays the socket's next frame. */
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
      connection.send({ type: 'pong' });
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
      requireCapacity(app, connection);
      return range(app, connection, frame);
    case 'watch':
      return watch(app, hub, connection, frame);
    case 'unwatch': {
      const member = hub.rooms.memberOf(connection, frame.conversationId);
      if (member !== undefined) hub.rooms.leave(member);
      return undefined;
    }
    case 'watchQueue':
      return watchQueue(app, hub, connection, frame);
    case 'queuePage':
      queuePage(hub, connection, frame);
      return undefined;
    case 'watchManagement':
      watchManagement(hub, connection);
      return undefined;
    case 'renew':
      return renew(app, connection, frame.token);
    case 'hello':
      // A socket cannot change its caller.
      throw new Refusal('bad_request');
  }
}

/**
 * Accepts a message for a watched conversation only: access was checked at the watch, is checked again after every
 * change, and once more inside the append. Does not wait for the result, so that a socket can have many messages in
 * flight. The appender keeps their order.
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
    const code = connection.watchFirst?.has(conversationId) ? 'unavailable' : 'not_found';
    connection.points.charge(frameCosts.refused);
    refuseSend(connection, conversationId, id, code);
    recordRefusedFrame(app, connection, code, frame.type);
    sent('refused');
    return;
  }
  // A copy of a message on its way: the ack follows.
  if (connection.storing?.has(id)) return;
  // Not closed: nothing behind it was accepted, so a retry keeps the order.
  if (app.appender.isOverloaded(conversationId, member.side)) {
    refuseSend(connection, conversationId, id, 'unavailable');
    sent('refused');
    return;
  }
  const refused = connection.resendFirst?.get(conversationId);
  const isEarly = refused !== undefined && refused.ids[0] !== id;
  if (isEarly || !connection.budget.take()) {
    connection.points.charge(frameCosts.refused);
    refuseSend(connection, conversationId, id, 'too_many');
    sent('refused');
    if (isEarly) void skipStored(app, connection, conversationId, refused);
    return;
  }
  if (refused !== undefined) skip(connection, conversationId, refused, [id]);
  connection.storing ??= new Set();
  connection.storing.add(id);
  const { side } = member;
  const span = MessageSpan.of(app.traces, { id, side, held });
  sendMessage(app, { caller: connection.caller, side }, { conversationId, id, ...content }, span)
    .then(
      ({ seq, createdAt }) => {
        connection.send({ type: 'ack', conversationId, id, seq, createdAt });
        span?.end('stored');
        sent('acknowledged');
      },
      (error: unknown) => {
        const code = codeOf(app, error);
        refuseSend(connection, conversationId, id, code);
        span?.refused(code);
        sent(code === 'unavailable' ? 'unknown' : 'refused');
        // The client may have sent later messages already. Only a new connection restores the order.
        if (code === 'unavailable') connection.closeForNow('out of step');
      },
    )
    .finally(() => connection.storing?.delete(id));
}

function refuseSend(connection: Connection, conversationId: string, id: string, code: ErrorCode): void {
  if (isRetryable(code)) {
    connection.resendFirst ??= new Map();
    const refused = connection.resendFirst.get(conversationId) ?? { ids: [], isLookedUp: false };
    connection.resendFirst.set(conversationId, refused);
    if (!refused.ids.includes(id)) refused.ids.push(id);
    // A page has fewer messages in flight.
    if (refused.ids.length > REFUSED_MAX) connection.closeForNow('out of step');
  } else if (code === 'reply_outdated') {
    // The page gives up the later ones too.
    connection.resendFirst?.delete(conversationId);
  }
  connection.refuse(code, { conversationId, id });
}

function skip(
  connection: Connection,
  conversationId: string,
  refused: RefusedForNow,
  ids: readonly string[],
): void {
  refused.ids = refused.ids.filter((id) => !ids.includes(id));
  if (refused.ids.length === 0 && connection.resendFirst?.get(conversationId) === refused)
    connection.resendFirst?.delete(conversationId);
}

/**
 * Refused messages may be stored already: sent over another way, or again just before their acks arrived. Then the
 * client never sends them again, and all later messages would be refused forever. One query at a time, because a flood
 * would otherwise fill the pool's queue.
 */
async function skipStored(
  app: App,
  connection: Connection,
  conversationId: string,
  refused: RefusedForNow,
): Promise<void> {
  if (refused.isLookedUp || app.db.isBusy()) return;
  refused.isLookedUp = true;
  const stored = await storedOf(app.db, conversationId, refused.ids).catch(() => []);
  refused.isLookedUp = false;
  skip(connection, conversationId, refused, stored);
}

async function watch(
  app: App,
  hub: Hub,
  connection: Connection,
  { conversationId, after }: Extract<Up, { type: 'watch' }>,
): Promise<void> {
  try {
    requireCapacity(app, connection);
    await recordViews(app, connection.caller, [conversationId]);
    await hub.rooms.watch(connection, conversationId, after);
    connection.watchFirst?.delete(conversationId);
  } catch (error) {
    const isFinal = error instanceof Refusal && !isRetryable(error.code);
    if (isFinal) connection.watchFirst?.delete(conversationId);
    else {
      connection.watchFirst ??= new Set();
      connection.watchFirst.add(conversationId);
      // A page watches few.
      if (connection.watchFirst.size > REFUSED_MAX) connection.closeForNow('out of step');
    }
    throw error;
  }
  for (const desk of hub.desks.watchedBy(connection)) desk.sendRow(connection, conversationId);
}

async function range(
  app: App,
  connection: Connection,
  { conversationId, after }: Extract<Up, { type: 'range' }>,
): Promise<void> {
  const { conversation, messages } = await app.visitorReads.run(connection.caller, () =>
    readPage(app, connection.caller, conversationId, { after }),
  );
  const head = Math.max(conversation.head, messages.at(-1)?.seq ?? 0);
  connection.answer({ type: 'messages', conversationId, messages, head });
}

async function watchQueue(
  app: App,
  hub: Hub,
  connection: Connection,
  { paged, desks }: Extract<Up, { type: 'watchQueue' }>,
): Promise<void> {
  const { caller } = connection;
  if (caller.kind !== 'staff') throw new Refusal('not_found');
  if (desks === true) hub.showAllDesks(connection);
  const aliases = desksOf(caller).slice(0, desks === true ? undefined : 1);
  if (aliases.length === 0) connection.send({ type: 'queue', rows: [] });
  else {
    await hub.desks.watch(connection, aliases, paged === true).catch((error: unknown) => {
      // A console asks once per connection. Without a new one, its queue would stay as it was.
      if (!(error instanceof Overloaded)) app.log.warn({ reason: reason(error) }, 'queue not read');
      connection.closeForNow('try later');
    });
  }
}

function queuePage(
  hub: Hub,
  connection: Connection,
  { show, after, alias }: Extract<Up, { type: 'queuePage' }>,
): void {
  const desks = hub.desks.watchedBy(connection);
  const desk = desks.find((watched) => alias === undefined || watched.alias === alias);
  if (desk === undefined) throw new Refusal('not_found');
  desk.sendPage(connection, { show, after, size: queuePageSize(desks.length) });
}

function watchManagement(hub: Hub, connection: Connection): void {
  const { caller } = connection;
  if (caller.kind !== 'staff' || caller.role !== 'admin') throw new Refusal('not_found');
  if (caller.overdue) throw new Refusal('second_factor_required');
  hub.management.watch(connection);
}

/** For staff only the expiry changes. The sweep compares role and desk with the database. */
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

function requireCapacity(app: App, { caller }: Connection): void {
  if (caller.kind === 'visitor' && isBusy(app)) throw new Refusal('unavailable');
}

/** The error code for any failure. Unexpected errors are logged and become `unavailable`. */
export function codeOf(app: App, error: unknown): ErrorCode {
  if (error instanceof Refusal) return error.code;
  // Not logged: thousands of lines would only add to the load.
  if (error instanceof Overloaded) return 'unavailable';
  app.log.error({ reason: reason(error) }, 'frame failed');
  return 'unavailable';
}
