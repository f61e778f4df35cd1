import { mediaUrl } from '@settee/protocol/model/media';
import type { MessageMedia } from '@settee/protocol/model/messageMedia';
import type { ImageFile } from '../src/chat/images/pick/imageFile.ts';
import type { StoredUpload, UploadStore } from '../src/chat/images/upload/upload.ts';
import type { Failure } from '../src/net/api.ts';
import type { Clock } from '../src/net/clock.ts';
import type { PutFile, PutResult } from '../src/net/fileTransfer.ts';

type State = 'uploading' | 'working' | 'ready' | 'refused';

/** Whether a request succeeds, or the request or its answer is lost. */
export type RequestOutcome = 'success' | 'request lost' | 'answer lost';

const PUT_TAKES_MS = 100;
const lost: Failure = { ok: false, code: undefined, text: 'Network error', status: 0, answer: undefined };

export function refusal(code: NonNullable<Failure['code']>, text: string): Failure {
  return { ok: false, code, text, status: 400, answer: undefined };
}

/**
 * The server and the object store for the images of a conversation, as a browser sees them, behind an unreliable
 * network. `outcomeOf` decides about every request.
 */
export function lossyUploads(clock: Clock, outcomeOf: (what: string) => RequestOutcome = () => 'success') {
  const media = new Map<string, { state: State; bytes: number; stored: boolean }>();
  const asked: string[] = [];
  const cancelled = new Set<string>();
  /** Called for every image whose bytes have arrived. Returns its state. */
  let process: (mediaId: string) => State = () => 'ready';
  let refuse: (what: string, mediaId: string) => Failure | undefined = () => undefined;

  function answer(what: string, mediaId: string, bytes: number): unknown {
    const known = media.get(mediaId);
    if (what === 'beginUpload') {
      if (!known) media.set(mediaId, { state: 'uploading', bytes, stored: false });
      const there = known !== undefined && known.state !== 'uploading';
      return { uploadUrl: there ? null : `https://store.example/${mediaId}`, expiresAt: 0 };
    }
    if (what === 'cancelUpload') {
      cancelled.add(mediaId);
      media.delete(mediaId);
      return {};
    }
    if (!known) return undefined;
    if (known.stored && known.state !== 'ready') known.state = process(mediaId);
    return { state: known.state, media: known.state === 'ready' ? aPicture(mediaId) : null };
  }

  const api = async (
    what: string,
    { params, body }: { params: { mediaId?: string }; body?: { mediaId: string; bytes: number } },
  ): Promise<unknown> => {
    const mediaId = body?.mediaId ?? params.mediaId ?? '';
    asked.push(`${what} ${mediaId}`);
    const how = outcomeOf(what);
    if (how === 'request lost') return lost;
    const refused = refuse(what, mediaId);
    const answered = refused ? undefined : answer(what, mediaId, body?.bytes ?? 0);
    if (how === 'answer lost') return lost;
    if (refused) return refused;
    return answered ? { ok: true, answer: { success: true, ...answered } } : refusal('not_found', 'gone');
  };

  const put: PutFile = async (url, file, { onProgress, signal }): Promise<PutResult> => {
    const mediaId = url.split('/').at(-1) ?? '';
    asked.push(`put ${mediaId}`);
    const how = outcomeOf('put');
    onProgress(Math.floor(file.size / 2));
    await new Promise<void>((resolve) => {
      clock.setTimeout(resolve, PUT_TAKES_MS);
      signal.addEventListener('abort', () => resolve());
    });
    if (how === 'request lost' || signal.aborted) return 'lost';
    onProgress(file.size);
    const known = media.get(mediaId);
    if (known) known.stored = true;
    return how === 'answer lost' ? 'lost' : 'stored';
  };

  return {
    // biome-ignore lint/suspicious/noExplicitAny: replaces three calls of different types
    api: api as any,
    put,
    asked,
    cancelled,
    media,
    processBy(how: typeof process) {
      process = how;
    },
    refuseBy(how: typeof refuse) {
      refuse = how;
    },
  };
}

export function aPicture(mediaId: string): MessageMedia {
  return {
    mediaUrl: mediaUrl('c0000000-0000-4000-8000-000000000000', mediaId),
    mediaType: 'image/webp',
    fileName: 'a.webp',
    size: 3,
    width: 2,
    height: 1,
    thumbhash: '',
  };
}

/** An image that was checked when it was picked. */
export function aPngImage(name = 'a.png'): ImageFile {
  const file = new File([new Uint8Array(12)], name, { type: 'image/png' });
  return { file, type: 'image/png', width: 2, height: 1 };
}

/** Predictable ids: id-1, id-2. */
export function countedIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `id-${count}`;
  };
}

export function memoryUploadStore(): UploadStore {
  const kept = new Map<string, StoredUpload>();
  const held = new Set<string>();
  const waiting = new Map<string, Set<() => void>>();

  function free(id: string): void {
    held.delete(id);
    for (const next of [...(waiting.get(id) ?? [])]) if (!held.has(id)) next();
  }

  return {
    async put(upload) {
      kept.set(upload.id, upload);
      held.add(upload.id);
    },
    async take(conversationId) {
      const free = [...kept.values()]
        .filter((u) => u.conversationId === conversationId && !held.has(u.id))
        // In the order of the database, then in the order of picking.
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .sort((a, b) => a.at - b.at);
      for (const { id } of free) held.add(id);
      return free;
    },
    async inherit(conversationId, signal, receive) {
      for (const { id } of [...kept.values()].filter((u) => u.conversationId === conversationId)) {
        const line = waiting.get(id) ?? new Set();
        waiting.set(id, line);
        const next = (): void => {
          line.delete(next);
          const upload = kept.get(id);
          if (signal.aborted || !upload) return;
          held.add(id);
          receive(upload);
        };
        if (held.has(id)) line.add(next);
      }
    },
    async remove(id) {
      kept.delete(id);
      free(id);
    },
    release: free,
  };
}
