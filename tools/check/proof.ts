// docs/proof.md: what the last nightly run did, and what it found.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { type Counts, closingLine } from './counts.ts';
import type { StepResult } from './run.ts';

type Proof = {
  counts: Counts;
  seconds: number;
  /** What the step printed. */
  figures: string[];
  /** The ids of guarantees whose tests passed. */
  proved: string[];
  /** The day and the commit of the run. */
  date: string;
  commit: string;
};

const RESULTS = 'docs/proof.json';
const PRODUCT = ['server/src', 'server/sql', 'server/migrations', 'web/src', 'protocol/src'];
/** A suite that ran before so many changes of the product must run again. */
const PRODUCT_COMMITS_MAX = 300;
/** From this heading on, the page is written by hand. */
const BY_HAND = '## Found and fixed';

/** The last result of every suite, in the repository: `--only` updates one part of the page, on any machine. */
export function readProofs(root: string): Record<string, Proof> {
  const path = join(root, RESULTS);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, Proof>) : {};
}

export function recordProof(root: string, { step, counts, seconds, figures, proved }: StepResult): void {
  const proof: Proof = {
    counts,
    seconds: Math.round(seconds),
    figures,
    proved,
    date: new Date().toISOString().slice(0, 10),
    commit: git(root, 'rev-parse', '--short=8', 'HEAD'),
  };
  const all = { ...readProofs(root), [step.name]: proof };
  writeFileSync(join(root, RESULTS), `${JSON.stringify(all, undefined, 2)}\n`);
}

/** The suites whose last result is missing, failed, or says little about the product of today. */
export function outdatedProofs(root: string, suites: readonly string[]): string[] {
  const proofs = readProofs(root);
  return suites.flatMap((name) => {
    const proof = proofs[name];
    if (proof === undefined) return [`${name}: never ran`];
    if (proof.counts.failed > 0) return [`${name}: ${proof.counts.failed} tests failed on ${proof.date}`];
    const since = Number(git(root, 'rev-list', '--count', `${proof.commit}..HEAD`, '--', ...PRODUCT));
    return since > PRODUCT_COMMITS_MAX ? [`${name}: ran ${since} product commits ago`] : [];
  });
}

export function writeProofPage(root: string, steps: readonly { name: string; what: string }[]): void {
  const path = join(root, 'docs/proof.md');
  const before = readFileSync(path, 'utf8');
  if (!before.includes(BY_HAND)) throw new Error(`${path} has no heading "${BY_HAND}"`);
  const last = readProofs(root);
  const proofs = steps.flatMap(({ name, what }) => {
    const proof = last[name];
    return proof === undefined ? [] : [{ name, what, ...proof }];
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

*Reference: look a result up here.* \`npm run nightly\` runs these suites in their full size and writes this page. CI runs them in a small size. To repeat one: \`npm run nightly -- --only NAME\`.

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

function git(root: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

function duration(seconds: number): string {
  return seconds < 100 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
