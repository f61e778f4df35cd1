import { dropUploads } from '../../chat/images/upload/sweepUploads.ts';
import { conversationsWithStoredUploads, markStoredUploads } from '../../chat/images/upload/uploadMark.ts';
import { staffStorageKey } from '../../chat/outbox/outbox.ts';
import type { UnsentStore } from '../../chat/outbox/unsentStore.ts';

/** What this browser has of a person and no server has, also from other windows and closed chats. */
export type Unfinished = {
  drafts: number;
  /** Replies, and chats with images. */
  unsent: number;
  remove(): Promise<void>;
};

export async function findUnfinished(staffId: string, unsent: UnsentStore): Promise<Unfinished> {
  const whose = staffStorageKey(staffId);
  const replies = await unsent.listAll();
  const chats = conversationsWithStoredUploads(whose);

  async function removeImages(conversationId: string): Promise<void> {
    await dropUploads(whose, conversationId);
    markStoredUploads(whose, conversationId, false);
  }

  return {
    drafts: unsent.all().filter(({ state, text }) => state === 'draft' && text.trim() !== '').length,
    unsent: replies.length + chats.length,
    async remove() {
      const texts = new Set([...unsent.all(), ...replies].map(({ id }) => id));
      for (const id of texts) unsent.forget(id);
      await Promise.allSettled([...[...texts].map(unsent.remove), ...chats.map(removeImages)]);
    },
  };
}
