import type { ImageType } from '@settee/protocol/model/media';
import type { View } from '../../model/conversationState.ts';

/** What is older than this nobody waits for any more. */
export const UPLOAD_LIFETIME_MS = 24 * 60 * 60_000;

/** A file on its way, as it is kept in case the page does not live to see it arrive. */
export type StoredUpload = {
  id: string;
  mediaId: string;
  conversationId: string;
  name: string;
  type: ImageType;
  width: number;
  height: number;
  /** When it was picked. No two of a conversation are alike: it is also their order. */
  at: number;
  /** What its sender had seen when sending it, however much later it arrives. */
  view?: View | undefined;
  file: Blob;
};

/**
 * Uploads under way. Each is one page's at a time: whoever put it or took it over has it until it is removed, let go,
 * or the page ends.
 */
export type UploadStore = {
  put(upload: StoredUpload): Promise<void>;
  /** Takes over what an earlier visit left of a conversation, in the order in which it was picked. */
  take(conversationId: string): Promise<StoredUpload[]>;
  /** Waits for those that other pages have now: each is this page's once its page has ended or let go of it. */
  inherit(conversationId: string, signal: AbortSignal, heir: (upload: StoredUpload) => void): Promise<void>;
  remove(id: string): Promise<void>;
  /** Another page may take it over. */
  release(id: string): void;
};
