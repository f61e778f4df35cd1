import { createEmitter } from '../../../browser/createStore.ts';
import type { Api } from '../../../net/api.ts';
import type { Clock } from '../../../net/clock.ts';
import type { PutFile } from '../../../net/fileTransfer.ts';
import type { OutgoingImage, View } from '../../model/conversationState.ts';
import type { ImageFile } from '../pick/imageFile.ts';
import { concurrencyLimit } from './concurrencyLimit.ts';
import { retryCall } from './retryCall.ts';
import type { Upload, Uploads } from './upload.ts';
import { uploadImage } from './uploadImage.ts';
import { uploadProgress } from './uploadProgress.ts';
import { type StoredUpload, UPLOAD_LIFETIME_MS, type UploadStore } from './uploadStore.ts';
import type { OnLine } from './wait.ts';

/** So many files go at once: more would only share the same line. */
const AT_ONCE = 2;

export type UploadsParts = {
  conversationId: string;
  api: Api<'beginUpload' | 'finishUpload' | 'cancelUpload'>;
  put: PutFile;
  store: UploadStore;
  clock: Clock;
  random: () => number;
  mintId: () => string;
  /** Shows the message at once, and resolves when it is safe in the outbox. */
  sendImage: (id: string, at: number, picture: OutgoingImage, view?: View) => Promise<void>;
  /** What somebody who sends now has seen. */
  view?: () => View | undefined;
  /** Before this nothing may be sent. */
  loaded?: () => Promise<void>;
  onLine: OnLine;
  isOffline?: () => boolean;
  /** Its picture may be shown from what this page has already. Without it, the preview ends with the upload. */
  onSent?: (mediaUrl: string, preview: string) => void;
};

type Job = { kept: StoredUpload; stopping: AbortController; stored: Promise<void>; isLine?: boolean };

/** Judges, keeps and brings one conversation's images, and sends each as a message once the server has it. */
export function startUploads(parts: UploadsParts): Uploads {
  const { conversationId, store, clock, onLine } = parts;
  const changes = createEmitter();
  const jobs = new Map<string, Job>();
  /** Those that the store has. */
  const safe = new WeakSet<StoredUpload>();
  const turn = concurrencyLimit(AT_ONCE);
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

  /** Out of sight and out of hand; what was kept of it goes once it is sure to be kept. */
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
    // What an earlier visit left may come after what was picked since.
    show([...list, upload].sort((a, b) => a.at - b.at));
    void bring(job);
  }

  /** Some that were picked before it are still on their way. One that waits for its person holds up nobody. */
  function isBehind(id: string): boolean {
    const place = list.findIndex((upload) => upload.id === id);
    return list
      .slice(0, Math.max(place, 0))
      .some(({ state }) => state === 'uploading' || state === 'checking');
  }

  /** Images become messages in the order in which they were picked, whichever is the smaller. */
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

  async function bring(job: Job): Promise<void> {
    const { id, mediaId, at, view } = job.kept;
    const brought = await uploadImage(job.kept, {
      ...parts,
      turn,
      signal: job.stopping.signal,
      onProgress({ state, done }) {
        if (jobs.get(id) !== job) return;
        progress.set(id, done);
        if (list.find((upload) => upload.id === id)?.state !== state) change(id, { state });
      },
    });
    // Taken back, or begun anew, meanwhile.
    if (jobs.get(id) !== job || brought.state === 'stopped' || job.stopping.signal.aborted) return;
    if (brought.state !== 'ready') {
      job.isLine = brought.isLine ?? false;
      change(id, { state: brought.state, problem: brought.problem });
      // Never to be sent: not again after a reload either.
      if (brought.state === 'refused') void job.stored.then(() => store.remove(id)).catch(logged);
      return;
    }
    const { media } = brought;
    await parts.loaded?.();
    await inTurn(id);
    if (jobs.get(id) !== job || job.stopping.signal.aborted) return;
    // Its message is there before anything is drawn: one bubble, which becomes the other.
    const safe = parts.sendImage(id, at, { mediaId, media }, view);
    const shown = list.find((upload) => upload.id === id);
    progress.forget(id);
    show(list.filter((upload) => upload !== shown));
    if (shown && parts.onSent) parts.onSent(media.mediaUrl, shown.preview);
    else if (shown) URL.revokeObjectURL(shown.preview);
    await Promise.all([safe, job.stored])
      .then(() => store.remove(id))
      .catch(logged);
    // Until then it is this page's, so that whoever stops it lets go of it.
    if (jobs.get(id) === job) jobs.delete(id);
  }

  function retry(id: string): void {
    const before = jobs.get(id);
    if (!before || list.find((upload) => upload.id === id)?.state !== 'failed') return;
    const job = { ...before, isLine: false, stopping: new AbortController() };
    jobs.set(id, job);
    progress.set(id, 0);
    change(id, { state: 'uploading', problem: null });
    void bring(job);
  }

  // What only the line has failed needs nobody to press for it.
  const off = onLine(() => {
    for (const { kept, isLine } of [...jobs.values()]) if (isLine) retry(kept.id);
  });

  async function takeOver(): Promise<void> {
    for (const kept of await store.take(conversationId)) goOn(kept);
    void store.inherit(conversationId, stopping.signal, goOn).catch(logged);
  }

  function goOn(kept: StoredUpload): void {
    if (stopping.signal.aborted) store.release(kept.id);
    else if (clock.now() - kept.at > UPLOAD_LIFETIME_MS) void store.remove(kept.id).catch(logged);
    else start(kept, Promise.resolve());
  }
  const takenOver = takeOver().catch(logged);

  function addRead({ file, type, width, height }: ImageFile): void {
    if (stopping.signal.aborted) return;
    // Files picked in the same moment have their order by this alone once they are kept.
    const at = Math.max(clock.now(), newest + 1);
    const facts = { id: parts.mintId(), mediaId: parts.mintId(), conversationId, at, view: parts.view?.() };
    const kept: StoredUpload = { ...facts, name: file.name, type, width, height, file };
    // Without a store (private windows of some browsers) it still goes; it only cannot survive a reload.
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
      // One that is a message already is no longer an upload's to take back.
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
        // Now, for who starts at once; and what is only being put, once it is.
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
