import type { ErrorCode } from '@settee/protocol/model/errorCodes';
import { UPLOAD_RETRY_MS } from '@settee/protocol/model/media';
import { imageTexts } from '@settee/protocol/texts/imageTexts';
import { texts } from '@settee/protocol/texts/texts';
import type { Api } from '../../../net/api.ts';
import { backOffDelay } from '../../../net/backOff.ts';
import type { PutFile } from '../../../net/fileTransfer.ts';
import { isFinalError } from '../../../net/isFinalError.ts';
import { type RetryParts, retryDeadline, wait } from './retryCall.ts';
import type { StoredUpload, UploadResult } from './upload.ts';

/** Interval between checks whether the server has processed the image. */
const ASK_AGAIN_MS = 1_000;

/** These errors are permanent for this file. */
const HOPELESS: readonly (ErrorCode | undefined)[] = [
  'image_type',
  'image_size',
  'media_refused',
  'bad_request',
];

type Parts = RetryParts & {
  api: Api<'beginUpload' | 'finishUpload'>;
  put: PutFile;
  /** Waits for the concurrency limit. Resolves with a release function. */
  turn: (signal: AbortSignal) => Promise<() => void>;
  onProgress: (progress: { state: 'uploading' | 'checking'; done: number }) => void;
};

/** The outcome of one step. `lost`: start again, which is safe. */
type Outcome = UploadResult | { state: 'lost'; problem: string } | { state: 'stored' };

/**
 * Uploads one file and waits until the server has processed it. Every attempt requests a new address, because the old
 * one may have expired and the server may already have the file.
 */
export async function uploadImage(upload: StoredUpload, parts: Parts): Promise<UploadResult> {
  const { random, signal } = parts;
  let isOver: (() => boolean) | undefined;
  for (let failures = 1; ; failures += 1) {
    const uploaded = await uploadBytes(upload, parts);
    const outcome = uploaded.state === 'stored' ? await untilReady(upload, parts) : uploaded;
    if (signal.aborted) return { state: 'stopped' };
    if (outcome.state !== 'lost' && outcome.state !== 'stored') return outcome;
    const { problem } = outcome.state === 'lost' ? outcome : { problem: texts.networkError };
    // Start at the first failure, because the duration of an attempt depends on the network.
    isOver ??= retryDeadline(UPLOAD_RETRY_MS, parts);
    if (isOver()) return { state: 'failed', problem, isLine: true };
    await wait(backOffDelay(failures, random), parts);
    if (signal.aborted) return { state: 'stopped' };
  }
}

async function uploadBytes(upload: StoredUpload, parts: Parts): Promise<Outcome> {
  const { api, put, signal, onProgress } = parts;
  // Wait first, so that the address does not expire while waiting.
  const leave = await parts.turn(signal);
  try {
    if (signal.aborted) return { state: 'stopped' };
    const { mediaId, type, name, file, conversationId } = upload;
    const begun = await api('beginUpload', {
      params: { id: conversationId },
      body: { mediaId, type, bytes: file.size, fileName: name },
    });
    if (signal.aborted) return { state: 'stopped' };
    if (!begun.ok) return turnedDown(begun);
    if (begun.answer.uploadUrl === null) return { state: 'stored' };
    onProgress({ state: 'uploading', done: 0 });
    const result = await put(begun.answer.uploadUrl, file, {
      type,
      signal,
      onProgress: (done) => onProgress({ state: 'uploading', done: Math.min(done, file.size) }),
    });
    return result === 'stored' ? { state: 'stored' } : { state: 'lost', problem: texts.networkError };
  } finally {
    leave();
  }
}

async function untilReady({ mediaId, conversationId, file }: StoredUpload, parts: Parts): Promise<Outcome> {
  const { api, signal, onProgress } = parts;
  onProgress({ state: 'checking', done: file.size });
  const isOver = retryDeadline(UPLOAD_RETRY_MS, parts);
  for (;;) {
    if (signal.aborted) return { state: 'stopped' };
    const finished = await api('finishUpload', { params: { id: conversationId, mediaId } });
    if (!finished.ok) return turnedDown(finished);
    const { state, media } = finished.answer;
    if (state === 'ready' && media) return { state: 'ready', media };
    if (state === 'refused') return { state: 'refused', problem: imageTexts.refused };
    // The server does not have the bytes. Upload them again.
    if (state === 'uploading') return { state: 'lost', problem: texts.networkError };
    if (isOver()) return { state: 'failed', problem: texts.notSent };
    await wait(ASK_AGAIN_MS, parts);
  }
}

function turnedDown({ code, text }: { code: ErrorCode | undefined; text: string }): Outcome {
  const problem = text || texts.networkError;
  if (!isFinalError(code)) return { state: 'lost', problem };
  return { state: HOPELESS.includes(code) ? 'refused' : 'failed', problem };
}
