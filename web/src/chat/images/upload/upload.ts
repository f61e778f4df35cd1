import type { MessageMedia } from '@settee/protocol/model/messageMedia';
import type { ImageFile } from '../pick/imageFile.ts';

/** An image being uploaded. It is not a message yet. */
export type Upload = {
  /** The id of its future message. The bubble keeps it as key. */
  id: string;
  mediaId: string;
  conversationId: string;
  name: string;
  type: string;
  bytes: number;
  /** Size in pixels, or 0 if unknown. */
  width: number;
  height: number;
  /** An object URL of the file, shown until the server's image is available. */
  preview: string;
  at: number;
  /** checking: the server processes the image. failed: can be retried. refused: cannot. */
  state: 'uploading' | 'checking' | 'failed' | 'refused';
  problem: string | null;
  /** It failed for want of a network, and is retried when that returns. */
  isLine?: boolean;
  /** The server's image, while it waits for its turn to become a message. */
  media?: MessageMedia;
};

/** Bytes sent per upload. */
export type Progress = ReadonlyMap<string, number>;

/** The uploads of one conversation. Several may run at once. They become messages in pick order. */
export type Uploads = {
  list(): readonly Upload[];
  /** Resolves when uploads of an earlier visit are in the list. */
  takenOver: Promise<void>;
  subscribe(listener: () => void): () => void;
  /** Separate from the list, because it changes many times a second and only the rings show it. */
  progress(): Progress;
  subscribeProgress(listener: () => void): () => void;
  /** Adds a checked file. Synchronous, so that it cannot be lost in between. */
  addRead(image: ImageFile): void;
  cancel(id: string): void;
  retry(id: string): void;
  stop(): void;
};
