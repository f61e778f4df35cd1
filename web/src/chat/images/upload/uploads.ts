import { createEmitter } from '../../../browser/createStore.ts';
import type { Api } from '../../../net/api.ts';
import type { Clock } from '../../../net/clock.ts';
import type { PutFile } from '../../../net/fileTransfer.ts';
import type { OutgoingImage, View } from '../../model/unsent.ts';
import type { ImageFile } from '../pick/imageFile.ts';
import { type OnLine, retryCall } from './retryCall.ts';
import {
  type Progress,
  type ReadyUpload,
  type StoredUpload,
  step,
  UPLOAD_LIFETIME_MS,
  type UploadEvent,
  type UploadStore,
  type Uploads,
  type UploadsState,
} from './upload.ts';
import { uploadImage } from './uploadImage.ts';

const MAX_CONCURRENT = 2;

/** How long new images wait for those of an earlier visit. The databases of some browsers never answer. */
const TAKE_OVER_WITHIN_MS = 10_000;

export type UploadsParts = {
  conversationId: string;
  api: Api<'beginUpload' | 'finishUpload' | 'cancelUpload'>;
  put: PutFile;
  store: UploadStore;
  clock: Clock;
  random: () => number;
  createId: () => string;
  /** Shows the message at once. Resolves when it is in the outbox. */
  sendImage: (id: string, at: number, picture: OutgoingImage, view?: View) => Promise<void>;
  /** What the sender has seen now. */
  view?: () => View | undefined;
  /** Resolves when messages can be sent. */
  loaded?: () => Promise<void>;
  onLine: OnLine;
  isOffline?: () => boolean;
  /** Hands the preview over to the message. Otherwise it is revoked. */
  onSent?: (mediaUrl: string, preview: string) => void;
};

type Job = {
  kept: StoredUpload;
  stopping: AbortController;
  /** Resolves when it is stored, or cannot be. */
  stored: Promise<void>;
  isStored: boolean;
};

/** Connects the reducer of one conversation's uploads to a store, the network and the outbox. */
export function startUploads(parts: UploadsParts): Uploads {
  const { conversationId, store, clock, onLine } = parts;
  const changes = createEmitter();
  /** By id, until its message is in the outbox. */
  const jobs = new Map<string, Job>();
  const turn = concurrencyLimit(MAX_CONCURRENT);
  const stopping = new AbortController();
  const progress = uploadProgress(clock);
  let state: UploadsState = { list: [], resumed: false };
  let newest = 0;

  function dispatch(event: UploadEvent): void {
    const before = state;
    const next = step(before, event);
    state = next.state;
    // Add the message before the next render, so that its bubble replaces the upload's.
    for (const upload of next.send) void send(upload);
    if (state.list !== before.list) changes.emit();
    for (const { id } of next.start) void run(id);
  }

  function start(kept: StoredUpload, storing?: Promise<void>): void {
    const { file, view: _, ...facts } = kept;
    const stored = storing ?? Promise.resolve();
    const job = { kept, stored, isStored: !storing, stopping: new AbortController() };
    jobs.set(kept.id, job);
    void stored.then(() => {
      job.isStored = true;
    });
    newest = Math.max(newest, kept.at);
    const preview = URL.createObjectURL(file);
    const shown = { ...facts, bytes: file.size, preview, state: 'uploading', problem: null } as const;
    dispatch({ type: 'added', upload: shown });
  }

  async function run(id: string): Promise<void> {
    const job = jobs.get(id);
    if (!job) return;
    const { signal } = job.stopping;
    progress.set(id, 0);
    const result = await uploadImage(job.kept, {
      ...parts,
      turn,
      signal,
      onProgress(reached) {
        if (signal.aborted) return;
        progress.set(id, reached.done);
        dispatch({ type: 'reached', id, state: reached.state });
      },
    });
    if (result.state === 'ready') await parts.loaded?.();
    if (result.state === 'stopped' || signal.aborted) return;
    // Permanently refused, so do not retry after a reload.
    if (result.state === 'refused') removeStored(job);
    dispatch({ type: 'ended', id, result });
  }

  async function send({ id, at, mediaId, media, preview }: ReadyUpload): Promise<void> {
    const job = jobs.get(id);
    const safe = parts.sendImage(id, at, { mediaId, media }, job?.kept.view);
    progress.forget(id);
    if (parts.onSent) parts.onSent(media.mediaUrl, preview);
    else URL.revokeObjectURL(preview);
    await Promise.all([safe, job?.stored])
      .then(() => store.remove(id))
      .catch(logged);
    // Until then stop() must release it.
    jobs.delete(id);
  }

  function removeStored({ kept, stored }: Job): void {
    void stored.then(() => store.remove(kept.id)).catch(logged);
  }

  // Network failures are retried automatically.
  const off = onLine(() => dispatch({ type: 'online' }));

  async function takeOver(): Promise<void> {
    for (const kept of await store.take(conversationId)) resume(kept);
    void store.inherit(conversationId, stopping.signal, resume).catch(logged);
  }

  function resume(kept: StoredUpload): void {
    if (stopping.signal.aborted) store.release(kept.id);
    else if (clock.now() - kept.at > UPLOAD_LIFETIME_MS) void store.remove(kept.id).catch(logged);
    else start(kept);
  }
  // Images of an earlier visit go first, even if the store answers slowly.
  const late = clock.setTimeout(() => dispatch({ type: 'resumed' }), TAKE_OVER_WITHIN_MS);
  const takenOver = takeOver()
    .catch(logged)
    .then(() => {
      clock.clearTimeout(late);
      dispatch({ type: 'resumed' });
    });

  function addRead({ file, type, width, height }: ImageFile): void {
    if (stopping.signal.aborted) return;
    // Makes the time unique, because it defines the order.
    const at = Math.max(clock.now(), newest + 1);
    const facts = {
      id: parts.createId(),
      mediaId: parts.createId(),
      conversationId,
      at,
      view: parts.view?.(),
    };
    const kept: StoredUpload = { ...facts, name: file.name, type, width, height, file };
    // Without a store, as in some private windows, the upload works but does not survive a reload.
    start(kept, store.put(kept).catch(logged));
  }

  return {
    list: () => state.list,
    takenOver,
    subscribe: changes.subscribe,
    progress: progress.now,
    subscribeProgress: progress.subscribe,
    addRead,
    cancel(id) {
      const upload = state.list.find((each) => each.id === id);
      const job = jobs.get(id);
      // It may already be a message.
      if (!upload || !job) return;
      job.stopping.abort();
      jobs.delete(id);
      progress.forget(id);
      dispatch({ type: 'cancelled', id });
      removeStored(job);
      URL.revokeObjectURL(upload.preview);
      const params = { id: conversationId, mediaId: upload.mediaId };
      const patience = { ...parts, signal: stopping.signal };
      void retryCall(() => parts.api('cancelUpload', { params }), patience);
    },
    retry: (id) => dispatch({ type: 'retry', id }),
    stop() {
      off();
      stopping.abort();
      for (const { kept, stored, isStored, stopping: own } of jobs.values()) {
        own.abort();
        // Release stored uploads now, and others once they are stored.
        if (isStored) store.release(kept.id);
        else void stored.then(() => store.release(kept.id));
      }
      for (const { preview } of state.list) URL.revokeObjectURL(preview);
      jobs.clear();
      progress.stop();
      changes.clear();
      state = { list: [], resumed: false };
    },
  };
}

function logged(error: unknown): void {
  console.error('uploads:', error);
}

/** Limits how many tasks run at once. The rest waits in order. */
function concurrencyLimit(most: number): (signal: AbortSignal) => Promise<() => void> {
  const line: (() => void)[] = [];
  let inside = 0;

  function next(): void {
    if (inside >= most) return;
    const enter = line.shift();
    if (!enter) return;
    inside += 1;
    enter();
  }

  /** Resolves with a release function, to be called once. An aborted wait resolves at once. */
  return (signal) =>
    new Promise((resolve) => {
      const leave = () => {
        inside -= 1;
        next();
      };
      const enter = () => {
        signal.removeEventListener('abort', giveUp);
        resolve(leave);
      };
      const giveUp = () => {
        line.splice(line.indexOf(enter), 1);
        resolve(() => {});
      };
      if (signal.aborted) return resolve(() => {});
      signal.addEventListener('abort', giveUp);
      line.push(enter);
      next();
    });
}

/** Minimum interval between notifications. The browser reports progress far more often. */
const NOTIFY_EVERY_MS = 250;

/** The progress of all uploads, throttled. */
function uploadProgress(clock: Clock) {
  const changes = createEmitter();
  let now: Progress = new Map();
  /** The snapshot of the last notification. */
  let notified = now;
  let timer: unknown;

  function notify(): void {
    timer = undefined;
    if (notified === now) return;
    notified = now;
    timer = clock.setTimeout(notify, NOTIFY_EVERY_MS);
    changes.emit();
  }

  return {
    now: () => notified,
    subscribe: changes.subscribe,
    set(id: string, done: number): void {
      if (now.get(id) === done) return;
      now = new Map(now).set(id, done);
      if (timer === undefined) notify();
    },
    forget(id: string): void {
      now = new Map([...now].filter(([one]) => one !== id));
      notified = now;
    },
    stop(): void {
      clock.clearTimeout(timer);
      changes.clear();
    },
  };
}
