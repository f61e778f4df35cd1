import type { MessageMedia } from '@settee/protocol/model/messageMedia';
import type { Access } from '../../access.ts';
import type { App } from '../../app.ts';
import { allowUploadCall } from '../../auth/rateLimits.ts';
import { Refusal } from '../../auth/refusal.ts';
import { findMessageMedia } from '../../db/media/media.ts';
import { findUpload, startLostWork, startWork, type Upload } from '../../db/media/uploads.ts';
import { reason } from '../../log/log.ts';
import type { Clock } from '../../ports.ts';
import { senderOf } from '../message/sender.ts';

const WAIT_MS = 8_000;
const FIRST_LOOK_MS = 100;
const LAST_LOOK_MS = 1_000;

/**
 * The sender says that all bytes are there. If so, a picture is made of them, which this waits for: mostly it is there
 * within a second. `gone` fires when nobody waits for the answer any more. A gateway that ends does not wait either:
 * the sender asks again, elsewhere.
 */
export async function finishUpload(
  app: App,
  access: Access,
  mediaId: string,
  gone: AbortSignal,
): Promise<{ state: Upload['state']; media: MessageMedia | null }> {
  const sender = senderOf(access);
  await allowUploadCall(app, sender.authorId);
  const look = async (): Promise<Upload> => {
    const upload = await findUpload(app.db.sql, mediaId, sender);
    if (upload === undefined) throw new Refusal('not_found');
    return upload;
  };

  let upload = await look();
  if (upload.state === 'uploading' && (await isThere(app, upload))) await startWork(app.db.sql, mediaId);
  else if (upload.state === 'working') await startLostWork(app.db.sql, mediaId);
  else return answer(app, sender.conversationId, mediaId, upload);

  const end = app.clock.now() + WAIT_MS;
  const over = AbortSignal.any([gone, app.stopping]);
  upload = await look();
  for (let ms = FIRST_LOOK_MS; upload.state === 'working' && app.clock.now() < end; ms *= 1.5) {
    await pause(app.clock, Math.min(ms, LAST_LOOK_MS), over);
    if (over.aborted) break;
    upload = await look();
  }
  return answer(app, sender.conversationId, mediaId, upload);
}

/** Exactly what was announced. Anything else may still be on its way. */
async function isThere(app: App, upload: Upload): Promise<boolean> {
  const found = await app.media.head(upload.staged_path).catch((error: unknown) => {
    app.log.warn({ reason: reason(error) }, 'media store not reached');
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
    const takeBack = clock.after(ms, over);
    function over(): void {
      takeBack();
      signal.removeEventListener('abort', over);
      resolve();
    }
    signal.addEventListener('abort', over);
  });
}
