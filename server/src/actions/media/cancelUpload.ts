import type { Access } from '../../access.ts';
import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import { dropUpload, findUpload } from '../../db/media/uploads.ts';
import { senderOf } from '../message/sender.ts';

/** Takes back an image that was not sent; its bytes go by a job, so that this needs no store that answers. */
export async function cancelUpload(app: App, access: Access, mediaId: string): Promise<void> {
  const upload = await findUpload(app.db.sql, mediaId, senderOf(access));
  if (upload === undefined) throw new Refusal('not_found');
  if (upload.state === 'refused') return;
  const dropped = await dropUpload(app.db.sql, mediaId);
  if (!dropped) throw new Refusal('bad_request', 'A message carries this image');
}
