import { readdirSync, readFileSync } from 'node:fs';
import sharp, { type Sharp } from 'sharp';
import type { Kind } from '../../src/images/kinds.ts';

export const KINDS: Kind[] = ['jpeg', 'png', 'gif', 'webp'];

/** A detailed pattern, the same every time. */
export function pattern(width: number, height: number, frames = 1): Sharp {
  const raw = Buffer.alloc(width * height * frames * 4);
  for (let y = 0; y < height * frames; y += 1) {
    const frame = Math.floor(y / height);
    for (let x = 0; x < width; x += 1) {
      raw.set(
        [(x * 5 + frame * 40) % 256, (y * 3) % 256, (x * y) % 256, x < width / 4 ? 0 : 255],
        (y * width + x) * 4,
      );
    }
  }
  return sharp(raw, { raw: { width, height: height * frames, channels: 4, pageHeight: height } });
}

export function still(kind: Kind, width = 48, height = 32): Promise<Buffer> {
  return pattern(width, height).toFormat(kind).toBuffer();
}

export function animation(kind: 'gif' | 'webp', frames: number, width = 40, height = 24): Promise<Buffer> {
  const delay = Array.from({ length: frames }, (_, frame) => 50 + 10 * (frame % 5));
  return pattern(width, height, frames).toFormat(kind, { loop: 3, delay }).toBuffer();
}

/** For image processes that must end by themselves: a busy machine may start one late. */
export const PATIENT_MS = 120_000;
export const patient = { wallMs: PATIENT_MS };

/** The ids of all child processes that still exist, zombies included. Linux only. */
export function ownChildren(): string[] {
  return readdirSync('/proc/self/task').flatMap((thread) =>
    childrenOf(thread).trim().split(' ').filter(Boolean),
  );
}

function childrenOf(thread: string): string {
  try {
    return readFileSync(`/proc/self/task/${thread}/children`, 'latin1');
  } catch {
    // The thread has ended meanwhile.
    return '';
  }
}
