import type { ImageType } from '@settee/protocol/model/media';
import type { View } from '../../model/unsent.ts';

export const UPLOAD_LIFETIME_MS = 24 * 60 * 60_000;

/** An upload stored in the browser, so that it survives a reload. */
export type StoredUpload = {
  id: string;
  mediaId: string;
  conversationId: string;
  name: string;
  type: ImageType;
  width: number;
  height: number;
  /** When it was picked. Unique per conversation, so it defines the order. */
  at: number;
  /** What the sender had seen when picking it. */
  view?: View | undefined;
  file: Blob;
};

/** Stored uploads. Each belongs to one page until it is removed or released, or the page closes. */
export type UploadStore = {
  put(upload: StoredUpload): Promise<void>;
  /** Claims uploads that an earlier visit left, in pick order. */
  take(conversationId: string): Promise<StoredUpload[]>;
  /** Claims uploads of other pages as soon as those pages close or release them. */
  inherit(conversationId: string, signal: AbortSignal, heir: (upload: StoredUpload) => void): Promise<void>;
  remove(id: string): Promise<void>;
  /** Lets another page claim it. */
  release(id: string): void;
};
