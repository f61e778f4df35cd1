// Checks the language of the documents with Vale. The rules are in .vale/Settee.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { valeProgram } from '../ops/programs.ts';
import { closingLine } from './counts.ts';

type Alert = { Check: string; Line: number; Message: string };

const root = join(import.meta.dirname, '../..');
const vale = await valeProgram();

/** A violation of each rule. A rule that does not report it does not work. */
const planted: Record<string, string> = {
  'Settee.Archaic': 'Whoever reads this page is told of it anew.',
  'Settee.Terms': 'A member of staff sends a picture.',
  'Settee.SentenceLength': `This sentence is ${'very, '.repeat(40)} very long.`,
};

function lint(args: string[], input?: string): Record<string, Alert[]> {
  const { stdout, stderr, status } = spawnSync(vale, ['--output=JSON', ...args], {
    cwd: root,
    encoding: 'utf8',
    ...(input !== undefined && { input }),
  });
  // Vale ends with 1 if it has alerts, and with 2 if it could not run.
  if (status !== 0 && status !== 1) throw new Error(`vale failed: ${stderr}${stdout}`);
  return JSON.parse(stdout) as Record<string, Alert[]>;
}

const broken = Object.entries(planted)
  .filter(([rule, text]) => !lint(['--ext=.md'], text)['stdin.md']?.some(({ Check }) => Check === rule))
  .map(([rule]) => rule);
for (const rule of broken) console.error(`${rule} does not report its planted violation`);

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean);
const alerts = Object.entries(lint(pages));
for (const [page, found] of alerts)
  for (const { Line, Message } of found) console.error(`${page}:${Line} ${Message}`);

const failed = broken.length + alerts.length;
const passed = Object.keys(planted).length + pages.length - failed;
console.log(closingLine({ passed, failed, skipped: 0 }));
process.exitCode = failed === 0 ? 0 : 1;
