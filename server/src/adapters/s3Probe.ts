import { randomUUID } from 'node:crypto';
import type { S3Config } from '../config/config.ts';
import type { Clock, S3Answer } from '../ports.ts';
import { s3Media } from './s3Media.ts';
import { preflight, seeMissing, withoutSlash } from './s3Setup.ts';

const ANSWER_MS = 10_000;

/** Does with an object of its own all that images need, and takes it away again. */
export async function probeS3(config: S3Config, origin: string, clock: Clock): Promise<S3Answer> {
  const media = s3Media(config, clock);
  const folder = `doctor/${randomUUID()}`;
  const path = `${folder}/probe`;
  const cors = preflight(config, origin);
  let step: NonNullable<S3Answer['failed']>['step'] = 'write';
  let open: S3Answer['public'];
  try {
    await media.put(path, Buffer.from('probe'), 'text/plain');
    step = 'read';
    if ((await media.get(path, 100))?.toString() !== 'probe') throw new Error('other bytes came back');
    open = await openTo(config, path);
    step = 'missing';
    await seeMissing(config);
    // Removing a folder lists it first.
    step = 'list';
    await media.removeAll(folder);
    step = 'delete';
    if ((await media.head(path)) !== undefined) throw new Error('it is there still');
    return { ...(open !== undefined && { public: open }), cors: await cors };
  } catch (why) {
    await media.remove(path).catch(() => {});
    return { failed: { step, why }, ...(open !== undefined && { public: open }), cors: await cors };
  }
}

/** Asked without a signature, as anybody could. */
async function openTo(config: S3Config, path: string): Promise<S3Answer['public']> {
  const bucket = `${withoutSlash(config.endpoint)}/${config.bucket}`;
  const asked = async (url: string): Promise<boolean> => {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    await answer.arrayBuffer();
    return answer.ok;
  };
  if (await asked(`${bucket}/${path}`)) return 'objects';
  return (await asked(`${bucket}?list-type=2`)) ? 'list' : undefined;
}
