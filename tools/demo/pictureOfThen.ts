import type { Access } from '../../server/src/access.ts';
import { beginUpload, senderOf } from '../../server/src/actions/media/uploads.ts';
import type { App } from '../../server/src/app.ts';
import { findUpload, startWork } from '../../server/src/db/media/uploads.ts';
import { processMedia } from '../../server/src/jobs/processMedia.ts';
import { type DrawingName, draw } from './drawings.ts';

const TYPE = 'image/jpeg';

/** The way of every image, with nobody to wait for: announced, put in its place, drawn anew. Answers its id. */
export async function uploadPicture(app: App, access: Access, which: DrawingName): Promise<string> {
  const bytes = await draw(which);
  const mediaId = app.random.uuid();
  await beginUpload(app, access, { mediaId, type: TYPE, bytes: bytes.length, fileName: `${which}.jpg` });
  const upload = await findUpload(app.db.sql, mediaId, senderOf(access));
  if (upload === undefined) throw new Error('the upload was not begun');
  await app.media.put(upload.staged_path, bytes, TYPE);
  await startWork(app.db.sql, mediaId);
  await processMedia(app, mediaId);
  return mediaId;
}
