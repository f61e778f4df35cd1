// Compares the size of the built pages with their limits. Run npm run build first.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { visitorTexts } from '@settee/protocol/render/translatedPage';
import { visitorLanguages } from '@settee/protocol/texts/languages';
import { closingLine } from '../tools/check/counts.ts';
import { type Kind, type Load, loadOf, type Part } from '../tools/check/load.ts';

const FOLDER = 'web/dist';
const KILOBYTE = 1_000;

/** Limits of the first load, in kB after gzip. */
const limits: [page: string, file: string, kind: Kind, kilobytes: number][] = [
  ['visitor', 'visitor.html', 'script', 86],
  ['visitor', 'visitor.html', 'style', 12],
  ['visitor', 'visitor.html', 'font', 42],
  ['console', 'handler.html', 'script', 200],
  ['admin', 'admin.html', 'script', 200],
];

/** The texts of the language with the most bytes are part of the first script. */
const texts: Part = visitorLanguages
  .map((language) => ({
    name: `texts (${language})`,
    kind: 'script' as const,
    bytes: gzipSync(visitorTexts(language)).length,
  }))
  .reduce((most, each) => (each.bytes > most.bytes ? each : most));

const loads = new Map(limits.map(([, file]): [string, Load] => [file, loadOf(FOLDER, file)]));
const problems: string[] = [];

for (const [page, file, kind, limit] of limits) {
  const { first = [], later = [] } = loads.get(file) ?? {};
  const parts = [
    ...first.filter((part) => part.kind === kind),
    ...(isVisitorScript(file, kind) ? [texts] : []),
  ];
  const total = sum(parts);
  console.log(`  ${page.padEnd(8)} ${kind.padEnd(7)} ${kilobytes(total)} of ${limit} kB  ${named(parts)}`);
  const lazy = later.filter((part) => part.kind === kind);
  if (lazy.length > 0) console.log(`  ${''.padEnd(16)} ${kilobytes(sum(lazy))} kB later  ${named(lazy)}`);
  if (parts.length === 0) problems.push(`The ${page} page has no ${kind}, so nothing was measured.`);
  if (total > limit * KILOBYTE) {
    const over = kilobytes(total - limit * KILOBYTE);
    problems.push(
      `The ${page} page's ${kind} grew to ${kilobytes(total)} kB, ${over} kB more than its ${limit} kB: ${named(parts)}. Load rarely used code with import(), or remove something.`,
    );
  }
}

/** Other scripts, such as the service worker. */
for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.js'))) {
  console.log(
    `  beside   script  ${kilobytes(gzipSync(readFileSync(join(FOLDER, name))).length)} kB  ${name}`,
  );
}

for (const problem of problems) console.error(problem);
console.log(closingLine({ passed: limits.length - problems.length, failed: problems.length, skipped: 0 }));
process.exitCode = problems.length === 0 ? 0 : 1;

function isVisitorScript(file: string, kind: Kind): boolean {
  return file === 'visitor.html' && kind === 'script';
}

function sum(parts: Part[]): number {
  return parts.reduce((total, { bytes }) => total + bytes, 0);
}

function named(parts: Part[]): string {
  return parts
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ name, bytes }) => `${name} ${kilobytes(bytes)}`)
    .join(', ');
}

function kilobytes(bytes: number): string {
  return (bytes / KILOBYTE).toFixed(1);
}
