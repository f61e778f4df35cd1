import type { Message } from '@settee/protocol/model/message';
import { type Access, accessTo, readAs } from '../access/access.ts';
import { readMessages } from '../messages/messages.store.ts';
import type { App } from '../platform/app.ts';
import { audited } from '../platform/db/audited.ts';
import type { ApiKeyCaller, Caller, Staff } from '../platform/ports/caller.ts';
import { recordExportStart, recordKeyRead, recordNewViews } from './conversationViews.store.ts';

/** Access for reading messages, notes or images. Records the view in the audit log. */
export async function accessToRead(app: App, caller: Caller, conversationId: string): Promise<Access> {
  const access = await accessTo(app, caller, conversationId);
  await recordViews(app, caller, [conversationId]);
  return access;
}

/** A page of messages that the caller may read. */
export async function readPage(
  app: App,
  caller: Caller,
  conversationId: string,
  page: Parameters<typeof readMessages>[2],
): Promise<{ conversation: Access['conversation']; messages: Message[] }> {
  const access = await accessToRead(app, caller, conversationId);
  const messages = await readAs(app, access, () => readMessages(app.db, conversationId, page));
  return { conversation: access.conversation, messages };
}

/**
 * Audits an administrator who opens conversations of another desk, at most once an hour each, before anything is
 * shown. Previews in lists are not audited: an entry per scrolled row would hide the important ones.
 */
export async function recordViews(app: App, caller: Caller, conversationIds: string[]): Promise<void> {
  if (caller.kind !== 'staff' || caller.role !== 'admin' || conversationIds.length === 0) return;
  const { staffId, alias: ownDesk } = caller;
  await audited(app, staffId, async (db, record) => {
    const viewed = await recordNewViews(db, { conversationIds, staffId, ownDesk });
    for (const id of viewed) record('conversation.view', id);
  });
}

/** Every export is audited, also one from the own desk. */
export async function recordExport(
  app: App,
  { staffId }: Staff,
  conversationId: string,
  after: number,
): Promise<void> {
  await audited(app, staffId, async (db, record) => {
    const started = await recordExportStart(db, { conversationId, staffId, after });
    if (started) record('conversation.export', conversationId);
  });
}

/** A program may read a conversation again and again: at most one entry an hour. */
export async function recordRead(app: App, { keyId }: ApiKeyCaller, conversationId: string): Promise<void> {
  await audited(app, keyId, async (db, record) => {
    if (await recordKeyRead(db, { conversationId, keyId })) record('conversation.export', conversationId);
  });
}
