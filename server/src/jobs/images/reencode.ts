import { join } from 'node:path';
import { IMAGE_MAX_BYTES } from '@settee/protocol/model/media';
import { Limiter } from '../../limits/concurrency.ts';
import { kindOf, outputKind, type Shape, typeOf } from './kinds.ts';
import { CHILDREN_MAX, CPU_MS, MEMORY_MAX_BYTES, WALL_MS } from './limits.ts';
import { type ChildLimits, runChild } from './runChild.ts';

/** What became of a file that somebody sent as an image. */
export type ReencodeResult =
  | { ok: true; bytes: Uint8Array; type: string; width: number; height: number; thumbhash: string }
  /** `reason` is a word for the log, never for a person. */
  | {
      ok: false;
      reason: string;
      /** Whether the same file may do better another time: then it need not be the file's fault. */
      mishap: boolean;
    };

const CHILD: ChildLimits = {
  program: process.execPath,
  script: join(import.meta.dirname, 'child.ts'),
  cpuMs: CPU_MS,
  wallMs: WALL_MS,
  memoryBytes: MEMORY_MAX_BYTES,
};

const limiter = new Limiter(CHILDREN_MAX);

/** Makes a picture of our own of whatever was uploaded, in a process that may die of it. */
export async function reencode(
  file: Uint8Array,
  declaredType: string,
  /** Tests have worse children. */
  child: Partial<ChildLimits> = {},
  shape: Shape = 'picture',
): Promise<ReencodeResult> {
  const kind = kindOf(file);
  if (kind === undefined || typeOf(kind) !== declaredType) return refused('wrong magic');
  if (file.length > IMAGE_MAX_BYTES) return refused('too large');

  const answer = await limiter.run(() => runChild(file, kind, { ...CHILD, ...child }, shape));
  if ('mishap' in answer) return { ok: false, reason: answer.mishap, mishap: true };
  if ('sin' in answer) return refused(answer.sin);
  if ('reason' in answer) return refused(answer.reason);
  const { bytes, width, height, thumbhash } = answer.picture;
  return { ok: true, bytes, type: typeOf(outputKind(kind, shape)), width, height, thumbhash };
}

function refused(reason: string): ReencodeResult {
  return { ok: false, reason, mishap: false };
}
