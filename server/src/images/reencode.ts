import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { IMAGE_MAX_BYTES } from '@settee/protocol/model/media';
import { Limiter } from '../platform/limits/concurrency.ts';
import { detectIsolation } from './isolation.ts';
import { kindOf, outputKind, type Shape, typeOf } from './kinds.ts';
import { CHILDREN_MAX, CPU_MS, MEMORY_MAX_BYTES, WALL_MS } from './limits.ts';
import { type ChildLimits, runChild } from './runChild.ts';

export type ReencodeResult =
  | { ok: true; bytes: Uint8Array; type: string; width: number; height: number; thumbhash: string }
  /** `reason` is for the log only. */
  | {
      ok: false;
      reason: string;
      /** A retry may succeed: it may not be the file's fault. */
      retryable: boolean;
    };

const CHILD: Omit<ChildLimits, 'isolation'> = {
  // A link may lead out of what the process can see.
  program: realpathSync(process.execPath),
  script: join(import.meta.dirname, 'child.ts'),
  cpuMs: CPU_MS,
  wallMs: WALL_MS,
  memoryBytes: MEMORY_MAX_BYTES,
};

const limiter = new Limiter(CHILDREN_MAX);

/** Re-encodes an uploaded image in a child process. */
export async function reencode(
  file: Uint8Array,
  declaredType: string,
  /** For tests. */
  child: Partial<ChildLimits> = {},
  shape: Shape = 'picture',
): Promise<ReencodeResult> {
  const kind = kindOf(file);
  if (kind === undefined || typeOf(kind) !== declaredType) return refused('wrong magic');
  if (file.length > IMAGE_MAX_BYTES) return refused('too large');

  const isolation = child.isolation ?? (await detectIsolation());
  const answer = await limiter.run(() => runChild(file, kind, { ...CHILD, ...child, isolation }, shape));
  if ('transient' in answer) return { ok: false, reason: answer.transient, retryable: true };
  if ('fault' in answer) return refused(answer.fault);
  if ('reason' in answer) return refused(answer.reason);
  const { bytes, width, height, thumbhash } = answer.picture;
  return { ok: true, bytes, type: typeOf(outputKind(kind, shape)), width, height, thumbhash };
}

function refused(reason: string): ReencodeResult {
  return { ok: false, reason, retryable: false };
}
