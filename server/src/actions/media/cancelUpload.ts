import type { Access } from '../../access.ts';
import type { App } from '../../app.ts';
import { Refused } from '../../auth/refused.ts';
import { dropUpload, findUpload } from '../../db/media/uploads.ts';
import { senderOf } from '../message/sender.ts';

/** Takes back an image that was not sent; its bytes go by a job, so that this needs no store that answers. */
export async function cancelUpload(app: App, access: Access, mediaId: string): Promise<void> {
  const upload = await findUpload(app.db.sql, mediaId, senderOf(access));
  if (upload === undefined) throw new Refused('not_found');
  if (upload.state === 'refused') return;
  const dropped = await dropUpload(app.db.sql, mediaId);
  if (!dropped) throw new Refused('bad_request', 'A message carries this image');
}
