import { check, failedProperties, properties, type Verdict } from './checker.ts';
import { readHistory } from './history.ts';

const EXAMPLES = 5;

export async function checkFile(path: string): Promise<Verdict> {
  return check(await readHistory(path));
}

/** The verdict as text, with the first examples. */
export function describeVerdict(verdict: Verdict): string {
  const { findings, judged, conversations, attempted, acked, stored } = verdict;
  const evidence: Partial<Record<string, string>> = verdict.evidence;
  const lines = [
    `${conversations} conversations, ${attempted} messages written, ${acked} acknowledged, ${stored} stored`,
    `lost ${findings.lost.length}, duplicates ${findings.duplicates.length}, gaps ${findings.gaps.length}`,
  ];
  for (const name of judged) {
    const found = findings[name];
    const observed = evidence[name] === undefined ? '' : ` (${evidence[name]})`;
    lines.push(`${found.length === 0 ? 'ok    ' : 'BROKEN'} ${properties[name]}${observed}`);
    for (const example of found.slice(0, EXAMPLES)) lines.push(`         ${example}`);
    if (found.length > EXAMPLES) lines.push(`         and ${found.length - EXAMPLES} more`);
  }
  return lines.join('\n');
}

// `node e2e/proof/check.ts history.jsonl`: the verdict for a file.
if (import.meta.main) {
  const [path] = process.argv.slice(2);
  if (path === undefined) throw new Error('Which history? node e2e/proof/check.ts <file>');
  const verdict = await checkFile(path);
  console.log(describeVerdict(verdict));
  process.exitCode = failedProperties(verdict).length === 0 ? 0 : 1;
}
