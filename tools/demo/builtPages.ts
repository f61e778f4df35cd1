import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** Built last. */
const BUILT = join(ROOT, 'web/dist/sw.js');
const SOURCES = ['web/src', 'web/vite', 'web/public', 'protocol/src'];

/** Whether what was built is younger than all that it is built from. */
export function pagesAreFresh(): boolean {
  if (!existsSync(BUILT)) return false;
  const built = statSync(BUILT).mtimeMs;
  const web = join(ROOT, 'web');
  const pages = readdirSync(web).filter((name) => name.endsWith('.html') || name.endsWith('.ts'));
  const files = [
    ...pages.map((name) => join(web, name)),
    ...SOURCES.map((folder) => join(ROOT, folder))
      .filter(existsSync)
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name)),
      ),
  ];
  return files.every((file) => statSync(file).mtimeMs <= built);
}
