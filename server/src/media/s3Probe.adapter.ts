import { randomUUID } from 'node:crypto';
import type { S3Config } from '../platform/config/config.ts';
import type { Clock, S3Answer } from '../platform/ports/ports.ts';
import { s3Media } from './s3Media.adapter.ts';
import { checkMissingObject, preflight, withoutSlash } from './s3Setup.adapter.ts';

const ANSWER_MS = 10_000;

/** Tries every operation that images need with a test object, and removes it. */
export async function probeS3(config: S3Config, origin: string, clock: Clock): Promise<S3Answer> {
  const media = s3Media(config, clock);
  const folder = `doctor/${randomUUID()}`;
  const path = `${folder}/probe`;
  const cors = preflight(config, origin);
  let step: NonNullable<S3Answer['failed']>['step'] = 'write';
  let exposed: S3Answer['public'];
  try {
    await media.put(path, Buffer.from('probe'), 'text/plain');
    step = 'read';
    if ((await media.get(path, 100))?.toString() !== 'probe') throw new Error('the bytes differ');
    exposed = await publicAccess(config, path);
    step = 'missing';
    await checkMissingObject(config);
    // Removing a folder lists it first.
    step = 'list';
    await media.removeAll(folder);
    step = 'delete';
    if ((await media.head(path)) !== undefined) throw new Error('the object still exists');
    return { ...(exposed !== undefined && { public: exposed }), cors: await cors };
  } catch (why) {
    await media.remove(path).catch(() => {});
    return { failed: { step, why }, ...(exposed !== undefined && { public: exposed }), cors: await cors };
  }
}

/** Requests without a signature, as anyone could send them. */
async function publicAccess(config: S3Config, path: string): Promise<S3Answer['public']> {
  const bucket = `${withoutSlash(config.endpoint)}/${config.bucket}`;
  const isReadable = async (url: string): Promise<boolean> => {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    await answer.arrayBuffer();
    return answer.ok;
  };
  if (await isReadable(`${bucket}/${path}`)) return 'objects';
  return (await isReadable(`${bucket}?list-type=2`)) ? 'list' : undefined;
}
