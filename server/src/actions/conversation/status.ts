import type { BlockHours } from '@settee/protocol/model/block';
import type { ConversationStatus } from '@settee/protocol/model/conversation';
import type { Note } from '@settee/protocol/model/note';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { type Access, accessTo } from '../../access.ts';
import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import { deskOf, type Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { auditBlockEnd, removeBlock, writeBlock } from '../../db/conversation/blocks.ts';
import { updateStatus } from '../../db/conversation/conversations.ts';
import { findNote, insertNote } from '../../db/conversation/notes.ts';
import { eachOf } from './eachOf.ts';

/**
 * Close, block or reopen: a member of staff's decision about a conversation at their desk. It is not carried out on one
 * that somebody else has changed since; and a block ends only by the word of who knows of it.
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
  // A block can be given another reason, or another end.
  const tellsMore = status === 'blocked' && (reason !== undefined || hours !== undefined);
  if (before.conversation.status === status && !tellsMore) return before;
  // Pages of the release before do not say `from`. But only who ends a block says why something is open again.
  const from = change.from ?? (reason === undefined ? undefined : before.conversation.status);
  const changed = await changeStatus(app, staff, conversationId, { ...change, from });
  const after = await accessTo(app, staff, conversationId);
  // Somebody else's decision may have been the same.
  if (changed || after.conversation.status === status) return after;
  throw new Refusal('conversation_closed', consoleTexts.statusMoved);
}

type StatusChange = {
  status: ConversationStatus;
  /** Why it is blocked, or no longer: staff's own words. */
  reason?: string | undefined;
  /** A block ends by itself after so long. */
  hours?: BlockHours | undefined;
  /** Only a conversation that is in this status; without it, any but a blocked one, which may only be blocked anew. */
  from?: ConversationStatus | undefined;
};

const ACTIONS = { open: 'conversation.open', closed: 'conversation.close', blocked: 'conversation.block' };

/**
 * In one transaction with its line in the audit log. False when it is not this desk's, or not as it should be. The log
 * keeps for ever what it is given, so it tells that there was a reason; the words stay with the conversation, and go
 * with it: those of a block with the block, those of its end as a note.
 */
async function changeStatus(
  app: App,
  staff: Staff,
  conversationId: string,
  { status, reason, hours, from }: StatusChange,
): Promise<boolean> {
  const changed = await app.db.sql.transaction().execute(async (db) => {
    const moved = await updateStatus(db, { conversationId, alias: deskOf(staff), status, from });
    if (moved === undefined) return undefined;
    const removed = await removeBlock(db, conversationId);
    const until = status === 'blocked' ? await writeBlock(db, conversationId, { reason, hours }) : null;
    const note =
      status === 'blocked' ? undefined : await noteReason(app, db, { conversationId, staff, reason });
    // A message had ended that block, and the job that tells of it has not come yet.
    if (removed && moved.before !== 'blocked') await auditBlockEnd(db, conversationId);
    await insertAudit(db, {
      actor: staff.staffId,
      action: ACTIONS[status],
      target: conversationId,
      details: {
        ...(moved.before === 'blocked' && { from: 'blocked' }),
        ...(reason !== undefined && { reason: true }),
        ...(until !== null && { until: until.toISOString() }),
      },
    });
    return { ...moved, note };
  });
  if (changed === undefined) return false;
  app.announce.conversationChanged({ id: conversationId, handlerAlias: changed.handlerAlias });
  app.announce.managementChanged('audit');
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
  await insertNote(db, { id, conversationId, authorId: staff.staffId, text: reason }, deskOf(staff));
  return (await findNote(db, id))?.note;
}

/** Closes those that are open; the others are answered as missed, and stay as they are. */
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
