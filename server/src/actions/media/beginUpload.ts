import {
  cleanFileName,
  IMAGE_BYTES_PER_DAY,
  IMAGES_PER_DAY,
  imageProblem,
  mediaPath,
  UPLOAD_SECONDS,
} from '@settee/protocol/model/media';
import { type Access, conversationView } from '../../access.ts';
import type { App } from '../../app.ts';
import { allowUploadCall } from '../../auth/rateLimits.ts';
import { Refusal } from '../../auth/refusal.ts';
import {
  countUploads,
  findUpload,
  insertUpload,
  lockConversation,
  type Upload,
} from '../../db/media/uploads.ts';
import { senderOf } from '../message/sender.ts';

type File = { mediaId: string; type: string; bytes: number; fileName: string };

/**
 * Gives the address where exactly this file may be put. It is a place of its own: what lies there is shown to nobody,
 * and whatever is put there later changes nothing that is.
 */
export async function beginUpload(
  app: App,
  access: Access,
  file: File,
): Promise<{ uploadUrl: string | null; expiresAt: number }> {
  const sender = senderOf(access);
  await allowUploadCall(app, sender.authorId);
  if (!conversationView(access).canSend) throw new Refusal('conversation_closed');
  const problem = imageProblem(file);
  if (problem !== undefined) throw new Refusal(problem);

  const upload = await keepUpload(app, access, file);
  const now = app.clock.now();
  if (upload.state !== 'uploading') return { uploadUrl: null, expiresAt: now };
  const uploadUrl = await app.media.signUpload(upload.staged_path, {
    type: upload.staged_type,
    bytes: upload.staged_bytes,
    seconds: UPLOAD_SECONDS,
  });
  return { uploadUrl, expiresAt: now + UPLOAD_SECONDS * 1_000 };
}

/** The image under this id, made now if it is new and today's limit leaves room for it. */
async function keepUpload(app: App, access: Access, file: File): Promise<Upload> {
  const sender = senderOf(access);
  const { conversationId } = sender;
  // Staff's names of files stay on their machines.
  const fileName = sender.fromOwner ? '' : cleanFileName(file.fileName);
  return app.db.sql.transaction().execute(async (db) => {
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
      // Nothing lies there: whoever makes the picture chooses the place that fits it.
      path: mediaPath({
        conversationId,
        randomId: randomId(app),
        timestamp: app.clock.now(),
        fileName,
      }),
    });
    // Somebody else's.
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
