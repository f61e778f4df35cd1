import {
  cleanFileName,
  IMAGE_BYTES_PER_DAY,
  IMAGES_PER_DAY,
  imageProblem,
  mediaPath,
  UPLOAD_SECONDS,
} from '@settee/protocol/model/media';
import type { MessageMedia } from '@settee/protocol/model/messageMedia';
import { errorTexts } from '@settee/protocol/texts/errorTexts';
import { type Access, conversationView } from '../access/access.ts';
import { findMessageMedia } from '../messages/messageMedia.store.ts';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { reason } from '../platform/log/log.ts';
import { authorIdOf } from '../platform/ports/caller.ts';
import type { Clock } from '../platform/ports/ports.ts';
import {
  countUploads,
  dropUpload,
  findUpload,
  insertUpload,
  lockConversation,
  type Sender,
  startProcessing,
  type Upload,
} from './uploads.store.ts';

/** The author of an image uploaded with this access. */
export function senderOf({ caller, side, conversation }: Access): Sender {
  return {
    conversationId: conversation.id,
    fromOwner: side === 'owner',
    authorId: authorIdOf(caller),
  };
}

type File = { mediaId: string; type: string; bytes: number; fileName: string };

/** Signs a URL for uploading exactly this file. Staged files are never shown, so a late upload changes nothing. */
export async function beginUpload(
  app: App,
  access: Access,
  file: File,
): Promise<{ uploadUrl: string | null; expiresAt: number }> {
  if (!conversationView(access).canSend) throw new Refusal('conversation_closed');
  const problem = imageProblem(file);
  if (problem !== undefined) throw new Refusal(problem);

  const upload = await ensureUpload(app, access, file);
  const now = app.clock.now();
  if (upload.state !== 'uploading') return { uploadUrl: null, expiresAt: now };
  const uploadUrl = await app.media.signUpload(upload.staged_path, {
    type: upload.staged_type,
    bytes: upload.staged_bytes,
    seconds: UPLOAD_SECONDS,
  });
  return { uploadUrl, expiresAt: now + UPLOAD_SECONDS * 1_000 };
}

/** The upload with this id. Creates it if it is new and within the daily limit. */
async function ensureUpload(app: App, access: Access, file: File): Promise<Upload> {
  const sender = senderOf(access);
  const { conversationId } = sender;
  // Staff file names are private.
  const fileName = sender.fromOwner ? '' : cleanFileName(file.fileName);
  return app.db.transaction(async (db) => {
    if (!(await lockConversation(db, conversationId))) throw new Refusal('not_found');
    const before = await findUpload(db, file.mediaId, sender);
    if (before !== undefined) {
      const same = before.staged_type === file.type && before.staged_bytes === file.bytes;
      if (!same) throw new Refusal('id_reused');
      return before;
    }
    const today = await countUploads(db, sender);
    if (today.images >= IMAGES_PER_DAY || today.bytes + file.bytes > IMAGE_BYTES_PER_DAY) {
      throw new Refusal('image_limit');
    }
    const stagedPath = `uploads/${conversationId}/${randomId(app)}`;
    const made = await insertUpload(db, {
      ...sender,
      id: file.mediaId,
      stagedPath,
      type: file.type,
      bytes: file.bytes,
      fileName,
      // A placeholder. The job that processes the image sets the final path.
      path: mediaPath({
        conversationId,
        randomId: randomId(app),
        timestamp: app.clock.now(),
        fileName,
      }),
    });
    // The id belongs to someone else.
    if (!made) throw new Refusal('not_found');
    return {
      state: 'uploading',
      staged_path: stagedPath,
      staged_type: file.type,
      staged_bytes: file.bytes,
    };
  });
}

function randomId(app: App): string {
  return Buffer.from(app.random.bytes(16)).toString('hex');
}

const WAIT_MS = 8_000;
const FIRST_POLL_MS = 100;
const MAX_POLL_MS = 1_000;

/**
 * The sender reports that the upload is complete. Starts processing and waits for the result, usually under a second.
 * `gone` fires when the client disconnects. A stopping gateway does not wait: the sender retries elsewhere.
 */
export async function finishUpload(
  app: App,
  access: Access,
  mediaId: string,
  gone: AbortSignal,
): Promise<{ state: Upload['state']; media: MessageMedia | null }> {
  const sender = senderOf(access);
  const readUpload = () => requireUpload(app, mediaId, sender);
  let upload = await readUpload();
  if (upload.state === 'uploading' && (await isUploaded(app, upload))) await startProcessing(app.db, mediaId);
  else if (upload.state !== 'working') return answer(app, sender.conversationId, mediaId, upload);

  const end = app.clock.now() + WAIT_MS;
  const over = AbortSignal.any([gone, app.stopping]);
  upload = await readUpload();
  for (let ms = FIRST_POLL_MS; upload.state === 'working' && app.clock.now() < end; ms *= 1.5) {
    await pause(app.clock, Math.min(ms, MAX_POLL_MS), over);
    if (over.aborted) break;
    upload = await readUpload();
  }
  return answer(app, sender.conversationId, mediaId, upload);
}

async function requireUpload({ db }: App, mediaId: string, sender: Sender): Promise<Upload> {
  const upload = await findUpload(db, mediaId, sender);
  if (upload === undefined) throw new Refusal('not_found');
  return upload;
}

/** Checks size and type. Anything else may still be uploading. */
async function isUploaded(app: App, upload: Upload): Promise<boolean> {
  const found = await app.media.head(upload.staged_path).catch((error: unknown) => {
    app.log.warn({ reason: reason(error) }, 'media store unavailable');
    throw new Refusal('unavailable');
  });
  return found?.bytes === upload.staged_bytes && found.type === upload.staged_type;
}

async function answer(app: App, conversationId: string, mediaId: string, { state }: Upload) {
  const media = state === 'ready' ? await findMessageMedia(app.db, conversationId, mediaId) : undefined;
  return { state, media: media ?? null };
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const cancelTimer = clock.after(ms, over);
    function over(): void {
      cancelTimer();
      signal.removeEventListener('abort', over);
      resolve();
    }
    signal.addEventListener('abort', over);
  });
}

/** Cancels an image that was not sent. A job removes the bytes, so this does not need the media store. */
export async function cancelUpload(app: App, access: Access, mediaId: string): Promise<void> {
  const upload = await requireUpload(app, mediaId, senderOf(access));
  if (upload.state === 'refused') return;
  const dropped = await dropUpload(app.db, mediaId);
  if (!dropped) throw new Refusal('bad_request', errorTexts.imageInUse);
}
