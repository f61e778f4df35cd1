import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The pages as they are now, built into a folder of the test's own. */
export function buildPages(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'settee-pages-'));
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', 'web', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error'];
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
