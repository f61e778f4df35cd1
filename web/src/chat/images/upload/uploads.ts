import { createEmitter } from '../../../browser/createStore.ts';
import type { Api } from '../../../net/api.ts';
import type { Clock } from '../../../net/clock.ts';
import type { PutFile } from '../../../net/fileTransfer.ts';
import type { OutgoingImage, View } from '../../model/unsent.ts';
import type { ImageFile } from '../pick/imageFile.ts';
import { concurrencyLimit } from './concurrencyLimit.ts';
import { type OnLine, retryCall } from './retryCall.ts';
import type { Upload, Uploads } from './upload.ts';
import { uploadImage } from './uploadImage.ts';
import { uploadProgress } from './uploadProgress.ts';
import { type StoredUpload, UPLOAD_LIFETIME_MS, type UploadStore } from './uploadStore.ts';

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

type Job = { kept: StoredUpload; stopping: AbortController; stored: Promise<void>; isLine?: boolean };

/** Stores and uploads one conversation's images, and sends each as a message when it is ready. */
export function startUploads(parts: UploadsParts): Uploads {
  const { conversationId, store, clock, onLine } = parts;
  const changes = createEmitter();
  const jobs = new Map<string, Job>();
  /** Uploads that are safely stored. */
  const safe = new WeakSet<StoredUpload>();
  const turn = concurrencyLimit(MAX_CONCURRENT);
  const stopping = new AbortController();
  let list: readonly Upload[] = [];
  let newest = 0;
  const progress = uploadProgress(clock);

  function show(next: readonly Upload[]): void {
    list = next;
    changes.emit();
  }

  function change(id: string, news: Partial<Upload>): void {
    show(list.map((upload) => (upload.id === id ? { ...upload, ...news } : upload)));
  }

  /** Removes an upload from the list and, once it was stored, from the store. */
  function drop({ kept, stored }: Job): Upload | undefined {
    const dropped = list.find(({ id }) => id === kept.id);
    jobs.delete(kept.id);
    progress.forget(kept.id);
    if (dropped) show(list.filter((upload) => upload !== dropped));
    void stored.then(() => store.remove(kept.id)).catch(logged);
    return dropped;
  }

  function start(kept: StoredUpload, stored: Promise<void>): void {
    const { file, view: _, ...facts } = kept;
    const job: Job = { kept, stored, stopping: new AbortController() };
    jobs.set(kept.id, job);
    void stored.then(() => safe.add(kept));
    newest = Math.max(newest, kept.at);
    const preview = URL.createObjectURL(file);
    const upload = {
      ...facts,
      bytes: file.size,
      preview,
      state: 'uploading',
      problem: null,
    } as const;
    // An upload of an earlier visit may be added later.
    show([...list, upload].sort((a, b) => a.at - b.at));
    void run(job);
  }

  /** Whether earlier uploads are still running. Failed ones do not block. */
  function isBehind(id: string): boolean {
    const place = list.findIndex((upload) => upload.id === id);
    return list
      .slice(0, Math.max(place, 0))
      .some(({ state }) => state === 'uploading' || state === 'checking');
  }

  /** Images become messages in pick order. */
  function inTurn(id: string): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (isBehind(id)) return;
        unsubscribe();
        resolve();
      };
      const unsubscribe = changes.subscribe(check);
      check();
    });
  }

  async function run(job: Job): Promise<void> {
    const { id, mediaId, at, view } = job.kept;
    const result = await uploadImage(job.kept, {
      ...parts,
      turn,
      signal: job.stopping.signal,
      onProgress({ state, done }) {
        if (jobs.get(id) !== job) return;
        progress.set(id, done);
        if (list.find((upload) => upload.id === id)?.state !== state) change(id, { state });
      },
    });
    // It was cancelled or restarted meanwhile.
    if (jobs.get(id) !== job || result.state === 'stopped' || job.stopping.signal.aborted) return;
    if (result.state !== 'ready') {
      job.isLine = result.isLine ?? false;
      change(id, { state: result.state, problem: result.problem });
      // Permanently refused, so do not retry after a reload.
      if (result.state === 'refused') void job.stored.then(() => store.remove(id)).catch(logged);
      return;
    }
    const { media } = result;
    await parts.loaded?.();
    // Images of an earlier visit go first, even if the store answers slowly.
    await Promise.race([takenOver, takeOverLate]);
    await inTurn(id);
    if (jobs.get(id) !== job || job.stopping.signal.aborted) return;
    // Add the message before the next render, so that its bubble replaces the upload's.
    const safe = parts.sendImage(id, at, { mediaId, media }, view);
    const shown = list.find((upload) => upload.id === id);
    progress.forget(id);
    show(list.filter((upload) => upload !== shown));
    if (shown && parts.onSent) parts.onSent(media.mediaUrl, shown.preview);
    else if (shown) URL.revokeObjectURL(shown.preview);
    await Promise.all([safe, job.stored])
      .then(() => store.remove(id))
      .catch(logged);
    // Until then stop() must release it.
    if (jobs.get(id) === job) jobs.delete(id);
  }

  function retry(id: string): void {
    const before = jobs.get(id);
    if (!before || list.find((upload) => upload.id === id)?.state !== 'failed') return;
    const job = { ...before, isLine: false, stopping: new AbortController() };
    jobs.set(id, job);
    progress.set(id, 0);
    change(id, { state: 'uploading', problem: null });
    void run(job);
  }

  // Network failures are retried automatically.
  const off = onLine(() => {
    for (const { kept, isLine } of [...jobs.values()]) if (isLine) retry(kept.id);
  });

  async function takeOver(): Promise<void> {
    for (const kept of await store.take(conversationId)) resume(kept);
    void store.inherit(conversationId, stopping.signal, resume).catch(logged);
  }

  function resume(kept: StoredUpload): void {
    if (stopping.signal.aborted) store.release(kept.id);
    else if (clock.now() - kept.at > UPLOAD_LIFETIME_MS) void store.remove(kept.id).catch(logged);
    else start(kept, Promise.resolve());
  }
  const takenOver = takeOver().catch(logged);
  const takeOverLate = new Promise<void>((resolve) => {
    const timer = clock.setTimeout(resolve, TAKE_OVER_WITHIN_MS);
    void takenOver.then(() => clock.clearTimeout(timer));
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
    list: () => list,
    takenOver,
    subscribe: changes.subscribe,
    progress: progress.now,
    subscribeProgress: progress.subscribe,
    addRead,
    cancel(id) {
      const job = jobs.get(id);
      // It may already be a message.
      if (!job || !list.some((upload) => upload.id === id)) return;
      job.stopping.abort();
      const dropped = drop(job);
      if (dropped) URL.revokeObjectURL(dropped.preview);
      const params = { id: conversationId, mediaId: job.kept.mediaId };
      const patience = { ...parts, signal: stopping.signal };
      void retryCall(() => parts.api('cancelUpload', { params }), patience);
    },
    retry,
    stop() {
      off();
      stopping.abort();
      for (const { kept, stored, stopping: own } of jobs.values()) {
        own.abort();
        // Release stored uploads now, and others once they are stored.
        if (safe.has(kept)) store.release(kept.id);
        else void stored.then(() => store.release(kept.id));
      }
      for (const { preview } of list) URL.revokeObjectURL(preview);
      jobs.clear();
      progress.stop();
      changes.clear();
      list = [];
    },
  };
}

function logged(error: unknown): void {
  console.error('uploads:', error);
}
