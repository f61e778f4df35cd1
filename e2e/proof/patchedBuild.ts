import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A text that occurs exactly once in a file, and its replacement. */
export type Patch = { file: string; find: string; put: string };

export type Build = { build: string; remove(): void };

/** A copy of the server with the patches applied, or the checkout if there are none. */
export function buildPatched(
  root: string,
  patches: readonly Patch[],
  added: Record<string, string> = {},
): Build {
  if (patches.length === 0 && Object.keys(added).length === 0) return { build: root, remove() {} };
  const build = mkdtempSync(join(tmpdir(), 'settee-patched-'));
  const remove = (): void => rmSync(build, { recursive: true, force: true });
  cpSync(join(root, 'server'), join(build, 'server'), {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  symlinkSync(join(root, 'node_modules'), join(build, 'node_modules'));
  for (const [file, text] of Object.entries(added)) writeFileSync(join(build, file), text);
  for (const { file, find, put } of patches) {
    const path = join(build, file);
    const parts = readFileSync(path, 'utf8').split(find);
    if (parts.length !== 2) {
      remove();
      throw new Error(
        `This patch no longer applies: ${file} contains "${find}" ${parts.length - 1} times, not once. Update it to the current code.`,
      );
    }
    writeFileSync(path, parts.join(put));
  }
  return { build, remove };
}
