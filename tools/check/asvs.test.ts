import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import levels from './asvs.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
const STATES = ['met', 'not applicable', 'not met'] as const;

type Line = { id: string; level: string; state: string; proof: string };

function readLines(page: string): Line[] {
  return [...page.matchAll(/^\| (\d+\.\d+\.\d+) \|(.*)\|$/gm)].map(([, id = '', rest = '']) => {
    const [level = '', , state = '', proof = ''] = rest.split(' | ').map((cell) => cell.trim());
    return { id, level, state: state.replaceAll('**', ''), proof };
  });
}

function problemsOf(lines: Line[], known: Set<string>): string[] {
  const wanted = Object.entries(levels).flatMap(([level, ids]) =>
    ids.split(' ').map((id) => ({ id, level })),
  );
  const counted = wanted.flatMap(({ id, level }) => {
    const found = lines.filter((line) => line.id === id && line.level === level);
    return found.length === 1 ? [] : [`${id} (level ${level}) has ${found.length} lines`];
  });
  const ids = new Set(wanted.map(({ id }) => id));
  const wrong = lines.flatMap(({ id, state, proof }) => {
    const tests = [...proof.matchAll(/\b[A-Z][A-Z0-9]*-\d+\b/g)].map(([test]) => test).filter(isTestId);
    const files = [...proof.matchAll(/`((?:[\w.-]+\/)+[\w.-]+)`/g)].map(([, file = '']) => file);
    const proved = [...tests, ...files].length > 0;
    return [
      ...(ids.has(id) ? [] : [`${id} is not a requirement of level 1 or 2`]),
      ...(STATES.some((each) => each === state) ? [] : [`${id} has the state ${state}`]),
      ...(proof === '' ? [`${id} has neither a proof nor a reason`] : []),
      ...(state === 'met' && !proved ? [`${id} is met, but names no test or file`] : []),
      ...tests.filter((test) => !known.has(test)).map((test) => `${id} names the unknown test ${test}`),
      ...files.filter((file) => !existsSync(join(root, file))).map((file) => `${id} names ${file}`),
    ];
  });
  return [...counted, ...wrong];
}

/** Names of algorithms look the same. */
function isTestId(word: string): boolean {
  return !/^(?:SHA|AES|UTF|P)-(?:1|128|256|8)$/.test(word);
}

const page = readFileSync(join(root, 'docs/asvs.md'), 'utf8');
const behaviour = readFileSync(join(root, 'docs/behaviour.md'), 'utf8');
const known = new Set([...behaviour.matchAll(/^- \*\*([A-Z0-9]+-\d+)\*\*/gm)].map(([, id = '']) => id));
const lines = readLines(page);

test('docs/asvs.md has one line for each requirement of level 1 and 2, with a state and tests that exist', () => {
  expect(problemsOf(lines, known)).toEqual([]);
});

test('the summary of docs/asvs.md counts its lines', () => {
  for (const level of Object.keys(levels)) {
    const of = lines.filter((line) => line.level === level);
    const counts = STATES.map((state) => of.filter((line) => line.state === state).length);
    const row = `| ${[level, ...counts].join(' | ')} |`;
    console.log(`ASVS level ${level}: ${STATES.map((state, i) => `${counts[i]} ${state}`).join(', ')}`);
    expect(page).toContain(row);
  }
});
