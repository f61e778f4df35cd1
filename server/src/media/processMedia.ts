import { randomBytes } from 'node:crypto';
import { IMAGE_MAX_BYTES, mediaPath } from '@settee/protocol/model/media';
import { type ReencodeResult, reencode } from '../images/reencode.ts';
import type { Database } from '../platform/db/database.ts';
import type { Log } from '../platform/log/log.ts';
import type { Clock, MediaStore } from '../platform/ports/ports.ts';
import {
  countFailedAttempt,
  findWork,
  markReady,
  markRefused,
  takePath,
  type Work,
} from './mediaWork.store.ts';

/** Attempts for a file that fails in a way that may not be its fault. */
const FAILED_ATTEMPTS_MAX = 3;

type Parts = {
  db: Database;
  media: MediaStore;
  clock: Clock;
  log: Log;
  /** For tests. */
  reencode?: typeof reencode;
};

/**
 * Re-encodes an upload, or refuses it. Safe to repeat and to run concurrently: each run writes its own path, and a
 * ready image is never overwritten.
 */
export async function processMedia(parts: Parts, mediaId: string): Promise<void> {
  const work = await findWork(parts.db, mediaId);
  if (work === undefined) return;
  if (work.state === 'working') await makePicture(parts, work);
  // An earlier run that died may have left an object.
  if (work.state === 'refused') await parts.media.remove(work.path);
  await parts.media.remove(work.stagedPath);
}

async function makePicture(parts: Parts, work: Work): Promise<void> {
  const { db, media, clock, log } = parts;
  const { id, conversationId } = work;
  const made = await look(parts, work);
  if (!made.ok) {
    // Fails the job, so that it is retried.
    if (made.retryable && (await countFailedAttempt(db, id)) < FAILED_ATTEMPTS_MAX)
      throw new Error(`no picture was made: ${made.reason}`);
    log.info({ reason: made.reason }, 'image refused');
    return markRefused(db, id);
  }
  const { type, width, height, thumbhash } = made;
  const fileName = imageFileName(work.fileName, type);
  const randomId = randomBytes(16).toString('hex');
  const path = mediaPath({ conversationId, randomId, timestamp: clock.now(), fileName });
  const former = await takePath(db, id, path);
  if (former === undefined) return;
  await media.remove(former);
  await media.put(path, made.bytes, type);
  const bytes = made.bytes.length;
  const mine = await markReady(db, id, { path, type, bytes, width, height, thumbhash, fileName });
  if (!mine) await media.remove(path);
}

async function look({ media, ...parts }: Parts, { stagedPath, stagedType }: Work): Promise<ReencodeResult> {
  const file = await media.get(stagedPath, IMAGE_MAX_BYTES);
  if (file === undefined) return { ok: false, reason: 'nothing there', retryable: false };
  return (parts.reencode ?? reencode)(file, stagedType);
}

/** File extensions by type. The first is used; the others are accepted. */
const ENDINGS: Record<string, readonly string[]> = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
};
const OTHER = ['jpg'];
const NAMELESS = 'image';

/** The sender's file name with an extension that fits the new image. */
export function imageFileName(given: string, type: string): string {
  const endings = ENDINGS[type] ?? OTHER;
  const { base = given, ending = '' } =
    /^(?<base>.*)\.(?<ending>[A-Za-z0-9]{1,8})$/.exec(given)?.groups ?? {};
  // Empty, or only an extension.
  if (/^[.\s]*$/.test(base)) return `${NAMELESS}.${endings[0]}`;
  return endings.includes(ending.toLowerCase()) ? given : `${base}.${endings[0]}`;
}
