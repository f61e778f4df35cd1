import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';

const running = new Set<ChildProcess>();
const PATIENCE_MS = 10_000;

// Whatever ends this process, nothing that it started may stay behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** A Node process of ours with a line to talk over. It ends with this one at the latest. */
export function startNode(args: string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const stdio: StdioOptions = ['ignore', 'inherit', 'inherit', 'ipc'];
  // Advanced: a figure that could not be had is NaN, and must arrive as NaN.
  const child = spawn(process.execPath, args, { stdio, env, serialization: 'advanced' });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

export async function stopNode(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await gone;
  clearTimeout(force);
}

/** The next thing the child says; an error if it ends first. */
export function heardFrom<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown): void => {
      child.off('exit', onExit);
      resolve(message as T);
    };
    const onExit = (code: number | null): void => {
      child.off('message', onMessage);
      reject(new Error(`${child.spawnargs.at(-1)} ended with ${code}`));
    };
    child.once('message', onMessage);
    child.once('exit', onExit);
  });
}
