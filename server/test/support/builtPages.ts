import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wasBuilt } from '../../../tools/built.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The current pages: those that the check has just built, or built into a temporary folder. */
export function buildPages(): { folder: string; remove(): void } {
  if (wasBuilt()) return { folder: join(ROOT, 'web/dist'), remove() {} };
  const folder = mkdtempSync(join(tmpdir(), 'settee-pages-'));
  // Vitest's NODE_ENV would select React's development build.
  const env = { ...process.env, NODE_ENV: 'production' };
  execFileSync(process.execPath, ['bin/build.ts', folder], { cwd: ROOT, stdio: 'inherit', env });
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
