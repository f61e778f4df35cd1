// docs/behaviour.md: the guarantees and their ids.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** In the order of the page. */
export function guaranteeIds(root: string): string[] {
  const page = readFileSync(join(root, 'docs/behaviour.md'), 'utf8');
  return [...page.matchAll(/^- \*\*([A-Z][A-Z0-9]*-\d+)\*\*/gm)].map(([, id]) => id ?? '');
}

/** A test counts only if it ran and passed. A title in a file that no runner reads proves nothing. */
export function unprovedGuarantees(root: string, proved: ReadonlySet<string>): string[] {
  return guaranteeIds(root).filter((id) => !proved.has(id));
}
