import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Lang, parse } from '@ast-grep/napi';

/**
 * A change of the code, found by its syntax: https://ast-grep.github.io/guide/pattern-syntax.html. The layout of the
 * code does not matter, nor do names that the pattern leaves open.
 */
export type Patch = {
  file: string;
  /** Matches at one place. `$NAME` stands for one part of the code, `$$$NAME` for any number of them. */
  find: string;
  /** For a part that is no code alone, such as a method: what it is to the parser. `find` then shows it in a class. */
  kind?: string;
  /** Only in the function, method or class of this name. */
  within?: string;
  /** The new code. Names stand for what they matched, and `$FOUND` for everything that `find` matched. */
  put: string;
};

export type Build = { build: string; remove(): void };

/** What a copy of the checkout leaves out. Its packages are links. */
const NOT_COPIED = new Set(['.git', '.settee', 'dist', 'node_modules']);

/** A copy of the checkout with the patches applied and the files added, or the checkout if there are none. */
export function buildPatched(
  root: string,
  patches: readonly Patch[] = [],
  added: Record<string, string> = {},
): Build {
  if (patches.length === 0 && Object.keys(added).length === 0) return { build: root, remove() {} };
  const build = mkdtempSync(join(tmpdir(), 'settee-patched-'));
  const remove = (): void => rmSync(build, { recursive: true, force: true });
  try {
    copyCheckout(root, build);
    for (const [file, text] of Object.entries(added)) writeFileSync(join(build, file), text);
    for (const patch of patches) {
      const path = join(build, patch.file);
      writeFileSync(path, patched(readFileSync(path, 'utf8'), patch));
    }
  } catch (error) {
    remove();
    throw error;
  }
  return { build, remove };
}

/** Copies the checkout with uncommitted changes. The copy shares the packages, except for the protocol. */
export function copyCheckout(root: string, build: string): void {
  const isCopied = (path: string) => !NOT_COPIED.has(basename(path)) && path !== join(root, 'gallery');
  cpSync(root, build, { recursive: true, filter: isCopied });
  linkPackages(root, build);
}

/** The packages of the checkout, with the protocol of the copy. */
export function linkPackages(root: string, build: string): void {
  const packages = join(build, 'node_modules');
  mkdirSync(join(packages, '@settee'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@settee') symlinkSync(join(root, 'node_modules', name), join(packages, name));
  }
  symlinkSync(join(build, 'protocol'), join(packages, '@settee/protocol'));
}

/** The source with the patch applied. Throws unless the pattern matches exactly once. */
export function patched(source: string, { file, find, kind, within, put }: Patch): string {
  const root = parse(file.endsWith('x') ? Lang.Tsx : Lang.TypeScript, source).root();
  const found = root.findAll({
    rule: {
      pattern: kind === undefined ? find : { context: find, selector: kind },
      ...(within !== undefined && {
        inside: { has: { field: 'name', regex: `^${within}$` }, stopBy: 'end' },
      }),
    },
  });
  const [node] = found;
  if (node === undefined || found.length > 1)
    throw new Error(
      `This patch no longer applies: ${file} matches "${find}" ${found.length} times, not once. Update it to the current code.`,
    );
  const text = put.replaceAll(/\$\$\$([A-Z_]+)|\$([A-Z_]+)/g, (name, many?: string, one?: string) => {
    if (one === 'FOUND') return node.text();
    if (one !== undefined) return node.getMatch(one)?.text() ?? name;
    const parts = node.getMultipleMatches(many ?? '');
    const [first, last] = [parts.at(0), parts.at(-1)];
    if (first === undefined || last === undefined) return '';
    return source.slice(first.range().start.index, last.range().end.index);
  });
  return root.commitEdits([node.replace(text)]);
}
