import { dropUploads } from '../../chat/images/upload/sweepUploads.ts';
import { conversationsWithStoredUploads, markStoredUploads } from '../../chat/images/upload/uploadMark.ts';
import { draftPrefix, listDrafts } from '../../chat/model/drafts.ts';
import { staffOutbox, staffStorageKey } from '../../chat/outbox/staffOutbox.ts';

/** What this browser has of a person and no server has, also from other windows and closed chats. */
export type Unfinished = {
  drafts: number;
  /** Replies, and chats with images. */
  unsent: number;
  removeUnsent(): Promise<void>;
};

export async function findUnfinished(staffId: string): Promise<Unfinished> {
  const whose = staffStorageKey(staffId);
  const outbox = staffOutbox(staffId);
  const replies = await outbox.listAll();
  const chats = conversationsWithStoredUploads(whose);

  async function removeImages(conversationId: string): Promise<void> {
    await dropUploads(whose, conversationId);
    markStoredUploads(whose, conversationId, false);
  }

  return {
    drafts: listDrafts(() => localStorage, draftPrefix(staffId)).length,
    unsent: replies.length + chats.length,
    async removeUnsent() {
      await Promise.allSettled([...replies.map(({ id }) => outbox.remove(id)), ...chats.map(removeImages)]);
    },
  };
}
