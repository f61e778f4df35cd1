import { createHash } from 'node:crypto';
import { relative } from 'node:path';

const WEB = `${import.meta.dirname}/..`;
const MARK_LENGTH = 3;
const files = new Map<string, string>();

/**
 * The name of a CSS module's class in the built pages: its own name and a short hash of its file. Every class name is
 * in the script and in the style sheet, so long names cost twice.
 */
export function shortClassName(name: string, file: string): string {
  const path = relative(WEB, file.split('?')[0] ?? file);
  const mark = createHash('sha256').update(path).digest('base64url').slice(0, MARK_LENGTH);
  const other = files.get(mark);
  if (other !== undefined && other !== path)
    throw new Error(`${path} and ${other} have the same mark: make MARK_LENGTH larger`);
  files.set(mark, path);
  return `${name}_${mark}`;
}
