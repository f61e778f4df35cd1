import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';

type Result = { code: number; out: string; err: string };
type Options = { cwd: string; env: Record<string, string>; input?: string };

/** The `sh` blocks of a Markdown text, in order. */
export function shellBlocks(markdown: string): string {
  return [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block).join('\n');
}

/** Runs a script with this process's `node`. Stops at the first command that fails. */
export async function runShell(script: string, { cwd, env, input = '' }: Options): Promise<Result> {
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const shell = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd, env: { PATH, ...env } });
  shell.stdin.end(input);
  const [out, err, code] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    new Promise<number>((done) => shell.on('close', (status) => done(status ?? 1))),
  ]);
  return { code, out, err };
}
