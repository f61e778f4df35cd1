import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';

type Run = { code: number; out: string; err: string };
type Where = { cwd: string; env: Record<string, string>; typed?: string };

/** Runs lines as somebody would paste them, but stops at the first that fails. `node` is the one that runs this. */
export async function runShell(script: string, { cwd, env, typed = '' }: Where): Promise<Run> {
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const shell = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd, env: { PATH, ...env } });
  shell.stdin.end(typed);
  const [out, err, code] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    new Promise<number>((done) => shell.on('close', (status) => done(status ?? 1))),
  ]);
  return { code, out, err };
}
