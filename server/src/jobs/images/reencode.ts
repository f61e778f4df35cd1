import { join } from 'node:path';
import { IMAGE_MAX_BYTES } from '@settee/protocol/media';
import { kindOf, typeOf } from './kinds.ts';
import { CHILDREN_MAX, MEMORY_MAX_BYTES, WALL_MS } from './limits.ts';
import { type ChildLimits, runChild } from './runChild.ts';
import { Turns } from './turns.ts';

/** What became of a file that somebody sent as an image. */
export type Reencoded =
  | { ok: true; bytes: Uint8Array; type: string; width: number; height: number; thumbhash: string }
  /** `reason` is a word for the log, never for a person. */
  | { ok: false; reason: string };

const CHILD: ChildLimits = {
  program: process.execPath,
  script: join(import.meta.dirname, 'child.ts'),
  wallMs: WALL_MS,
  memoryBytes: MEMORY_MAX_BYTES,
};

const turns = new Turns(CHILDREN_MAX);

/** Makes a picture of our own of whatever was uploaded, in a process that may die of it. */
export async function reencode(
  file: Uint8Array,
  declaredType: string,
  /** Tests have worse children. */
  child: Partial<ChildLimits> = {},
): Promise<Reencoded> {
  const kind = kindOf(file);
  if (kind === undefined || typeOf(kind) !== declaredType) return { ok: false, reason: 'wrong magic' };
  if (file.length > IMAGE_MAX_BYTES) return { ok: false, reason: 'too large' };

  const answer = await turns.take(() => runChild(file, kind, { ...CHILD, ...child }));
  if ('failure' in answer) return { ok: false, reason: answer.failure };
  if ('reason' in answer) return { ok: false, reason: answer.reason };
  const { bytes, width, height, thumbhash } = answer.picture;
  return { ok: true, bytes, type: typeOf(kind), width, height, thumbhash };
}
