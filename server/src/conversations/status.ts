import type { BlockHours } from '@settee/protocol/model/block';
import type { ConversationStatus } from '@settee/protocol/model/conversation';
import type { Note } from '@settee/protocol/model/note';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { type Access, accessTo } from '../access/access.ts';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { audited } from '../platform/db/audited.ts';
import { reachOf, type Staff } from '../platform/ports/caller.ts';
import { BLOCK_END, removeBlock, writeBlock } from './blocks.store.ts';
import { updateStatus } from './conversations.store.ts';
import { eachOf } from './eachOf.ts';
import { findNote, insertNote } from './notes.store.ts';

/**
 * Closes, blocks or reopens a conversation. Refuses if someone else changed the status meanwhile. Only a caller who
 * knows about a block can end it.
 */
export async function setStatus(
  app: App,
  staff: Staff,
  conversationId: string,
  change: StatusChange,
): Promise<Access> {
  const { status, reason, hours } = change;
  if (hours !== undefined && status !== 'blocked') throw new Refusal('bad_request');
  const before = await accessTo(app, staff, conversationId);
  // A block can get another reason or another end.
  const updatesBlock = status === 'blocked' && (reason !== undefined || hours !== undefined);
  if (before.conversation.status === status && !updatesBlock) return before;
  // Pages of the previous release do not send `from`. A reason for reopening means that the caller saw the block.
  const from = change.from ?? (reason === undefined ? undefined : before.conversation.status);
  const changed = await changeStatus(app, staff, conversationId, { ...change, from });
  const after = await accessTo(app, staff, conversationId);
  // Someone else may have set the same status.
  if (changed || after.conversation.status === status) return after;
  throw new Refusal('conversation_closed', consoleTexts.statusMoved);
}

type StatusChange = {
  status: ConversationStatus;
  /** Why it is blocked or unblocked, written by staff. */
  reason?: string | undefined;
  /** The block ends by itself after this time. */
  hours?: BlockHours | undefined;
  /**
   * Only change a conversation with this status. Without it, any but a blocked one, which can only be blocked again.
   */
  from?: ConversationStatus | undefined;
};

const ACTIONS = {
  open: 'conversation.open',
  closed: 'conversation.close',
  blocked: 'conversation.block',
} as const;

/**
 * Changes the status in one transaction with the audit entry. Returns false if the conversation is at another desk or
 * has another status. The audit log is permanent, so it only records that there was a reason. The text is stored with
 * the block, or as a note, and is erased with the conversation.
 */
async function changeStatus(
  app: App,
  staff: Staff,
  conversationId: string,
  { status, reason, hours, from }: StatusChange,
): Promise<boolean> {
  const changed = await audited(app, staff, async (db, record) => {
    const moved = await updateStatus(db, { conversationId, reach: reachOf(staff), status, from });
    if (moved === undefined) return undefined;
    const removed = await removeBlock(db, conversationId);
    const until = status === 'blocked' ? await writeBlock(db, conversationId, { reason, hours }) : null;
    const note =
      status === 'blocked' ? undefined : await noteReason(app, db, { conversationId, staff, reason });
    // A message already ended the block, but the job that audits this has not run yet.
    if (removed && moved.before !== 'blocked')
      record('conversation.open', conversationId, BLOCK_END, 'system');
    record(ACTIONS[status], conversationId, {
      ...(moved.before === 'blocked' && { from: 'blocked' }),
      ...(reason !== undefined && { reason: true }),
      ...(until !== null && { until: until.toISOString() }),
    });
    return { ...moved, note };
  });
  if (changed === undefined) return false;
  app.announce.conversationChanged({ id: conversationId, handlerAlias: changed.handlerAlias });
  if (changed.note) app.announce.noteAdded({ note: changed.note, handlerAlias: changed.handlerAlias });
  return true;
}

async function noteReason(
  app: App,
  db: Parameters<typeof insertNote>[0],
  { conversationId, staff, reason }: { conversationId: string; staff: Staff; reason: string | undefined },
): Promise<Note | undefined> {
  if (reason === undefined) return undefined;
  const id = app.random.uuid();
  await insertNote(db, { id, conversationId, authorId: staff.staffId, text: reason }, reachOf(staff));
  return (await findNote(db, id))?.note;
}

/** Closes open conversations. Returns the others as missed. */
export async function closeMany(
  app: App,
  staff: Staff,
  ids: readonly string[],
): Promise<{ closed: number; missed: string[] }> {
  const { done, missed } = await eachOf(ids, (id) =>
    changeStatus(app, staff, id, { status: 'closed', from: 'open' }),
  );
  return { closed: done, missed };
}
