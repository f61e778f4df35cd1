import type { ImageType } from '@settee/protocol/model/media';
import type { MessageMedia } from '@settee/protocol/model/messageMedia';
import type { View } from '../../model/unsent.ts';
import type { ImageFile } from '../pick/imageFile.ts';

/** In pick order. With `resumed`, images of an earlier visit are in the list, or no longer awaited. */
export type UploadsState = { list: readonly Upload[]; resumed: boolean };

/**
 * The outcome of an upload. `failed`: can be retried; with `isLine`, as soon as the network returns. `stopped`:
 * aborted.
 */
export type UploadResult =
  | { state: 'ready'; media: MessageMedia }
  | { state: 'failed' | 'refused'; problem: string; isLine?: true }
  | { state: 'stopped' };

export type UploadEvent =
  | { type: 'added'; upload: Upload }
  | { type: 'resumed' }
  | { type: 'reached'; id: string; state: 'uploading' | 'checking' }
  | { type: 'ended'; id: string; result: Exclude<UploadResult, { state: 'stopped' }> }
  | { type: 'retry'; id: string }
  | { type: 'online' }
  | { type: 'cancelled'; id: string };

export type ReadyUpload = Upload & { media: MessageMedia };

/** The new state, the uploads to start, and those that become messages now. */
export type UploadStep = { state: UploadsState; start: Upload[]; send: ReadyUpload[] };

const AGAIN = { state: 'uploading', problem: null } as const;

/** Pure reducer, like that of messages: no network, store or clock. */
export function step(before: UploadsState, event: UploadEvent): UploadStep {
  const state = fold(before, event);
  const running = new Set(before.list.filter(isRunning).map(({ id }) => id));
  const start = state.list.filter((upload) => isRunning(upload) && !running.has(upload.id));
  const send = sendable(state);
  const sent = new Set<Upload>(send);
  // Return the same list if nothing changed, to avoid a render.
  const list = sent.size > 0 ? state.list.filter((upload) => !sent.has(upload)) : state.list;
  return { state: { ...state, list }, start, send };
}

function fold(state: UploadsState, event: UploadEvent): UploadsState {
  switch (event.type) {
    case 'added':
      // An upload of an earlier visit may be added later.
      return { ...state, list: [...state.list, event.upload].sort((a, b) => a.at - b.at) };
    case 'resumed':
      return { ...state, resumed: true };
    case 'reached':
      return change(state, ({ id, state }) => id === event.id && state !== event.state, {
        state: event.state,
      });
    case 'ended': {
      const { result } = event;
      const news = result.state === 'ready' ? { media: result.media } : { isLine: false, ...result };
      return change(state, ({ id }) => id === event.id, news);
    }
    case 'retry':
      return change(state, ({ id, state }) => id === event.id && state === 'failed', AGAIN);
    case 'online':
      return change(state, ({ state, isLine }) => state === 'failed' && isLine === true, AGAIN);
    case 'cancelled':
      return { ...state, list: state.list.filter(({ id }) => id !== event.id) };
  }
}

function change(
  state: UploadsState,
  which: (upload: Upload) => boolean,
  news: Partial<Upload>,
): UploadsState {
  if (!state.list.some(which)) return state;
  return {
    ...state,
    list: state.list.map((upload) => (which(upload) ? { ...upload, ...news } : upload)),
  };
}

/** Images become messages in pick order. Failed ones do not block. */
function sendable({ list, resumed }: UploadsState): ReadyUpload[] {
  const blocking = resumed ? list.findIndex((upload) => isRunning(upload) && !isReady(upload)) : 0;
  const reached = blocking === -1 ? list : list.slice(0, blocking);
  return reached.filter(isReady);
}

function isReady(upload: Upload): upload is ReadyUpload {
  return upload.media !== undefined;
}

export function isRunning({ state }: Pick<Upload, 'state'>): boolean {
  return state === 'uploading' || state === 'checking';
}

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
