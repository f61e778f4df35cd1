import type { ImageFile } from '../pick/imageFile.ts';

/** An image on its way to the server: not a message yet, and drawn below all that are. */
export type Upload = {
  /** The id that its message will have; the bubble keeps it as its key. */
  id: string;
  mediaId: string;
  conversationId: string;
  name: string;
  type: string;
  bytes: number;
  /** As the browser decodes it, so that its place is kept; 0 where it could not tell. */
  width: number;
  height: number;
  /** An object URL of what was picked, for the picture until the server's is there. */
  preview: string;
  at: number;
  /** checking: the server makes its own picture. failed: may be tried again. refused: never. */
  state: 'uploading' | 'checking' | 'failed' | 'refused';
  /** What to say about a failure. */
  problem: string | null;
};

/** How many bytes of each have gone. */
export type Progress = ReadonlyMap<string, number>;

/**
 * One conversation's uploads. Several may be under way; each becomes a message when it is ready and those picked before
 * it are, or failed.
 */
export type Uploads = {
  list(): readonly Upload[];
  /** Once what an earlier visit left, if anything, is in the list. */
  takenOver: Promise<void>;
  subscribe(listener: () => void): () => void;
  /** Apart from the list, which the whole chat is drawn by: it changes many times a second, and only rings show it. */
  progress(): Progress;
  subscribeProgress(listener: () => void): () => void;
  /** Takes one that was judged when it was picked; at once, so that no moment is left in which it could be lost. */
  addRead(image: ImageFile): void;
  cancel(id: string): void;
  retry(id: string): void;
  stop(): void;
};
