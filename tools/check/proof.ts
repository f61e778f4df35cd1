// docs/proof.md: what the last nightly run did, and what it found.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { type Counts, closingLine } from './counts.ts';
import type { StepResult } from './run.ts';

type Proof = {
  counts: Counts;
  seconds: number;
  /** What the step printed. */
  figures: string[];
  /** The day and the commit of the run. */
  date: string;
  commit: string;
};

/** From this heading on, the page is written by hand. */
const BY_HAND = '## Found and fixed';

/** Keeps the last result of every step, so that `--only` updates one part of the page. */
export function recordProof(root: string, { step, counts, seconds, figures }: StepResult): void {
  const folder = proofFolder(root);
  mkdirSync(folder, { recursive: true });
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const proof: Proof = { counts, seconds, figures, date, commit };
  writeFileSync(join(folder, `${step.name}.json`), JSON.stringify(proof));
}

export function writeProofPage(root: string, steps: readonly { name: string; what: string }[]): void {
  const path = join(root, 'docs/proof.md');
  const before = readFileSync(path, 'utf8');
  if (!before.includes(BY_HAND)) throw new Error(`${path} has no heading "${BY_HAND}"`);
  const proofs = steps.flatMap((step) => {
    const file = join(proofFolder(root), `${step.name}.json`);
    return existsSync(file) ? [{ ...step, ...(JSON.parse(readFileSync(file, 'utf8')) as Proof) }] : [];
  });
  const total = proofs.reduce((sum, { seconds }) => sum + seconds, 0);
  const rows = proofs.map(
    ({ name, what, seconds, counts, date, commit }) =>
      `| ${name} | ${what} | ${duration(seconds)} | ${closingLine(counts)} | ${date}, ${commit} |`,
  );
  const figures = proofs.flatMap(({ name, figures: lines }) =>
    lines.length === 0 ? [] : [`### ${name}\n\n\`\`\`text\n${withoutRepeats(lines).join('\n')}\n\`\`\`\n`],
  );
  writeFileSync(
    path,
    `# Proof

\`npm run nightly\` runs these suites in their full size and writes this page. CI runs them in a small size. To repeat one: \`npm run nightly -- --only NAME\`.

Machine: ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory, Node ${process.versions.node}. All steps together took ${duration(total)}.

| name | what | time | tests | run |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

## Figures

${figures.join('\n')}
${before.slice(before.indexOf(BY_HAND))}`,
  );
}

/** A check that ran in several rounds is one line. */
function withoutRepeats(lines: readonly string[]): string[] {
  return [...new Set(lines)].map((line) => {
    const times = lines.filter((each) => each === line).length;
    return times === 1 ? line : `${line} (${times} times)`;
  });
}

function proofFolder(root: string): string {
  return join(root, '.settee/nightly');
}

function duration(seconds: number): string {
  return seconds < 100 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
