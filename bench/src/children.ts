import { type ChildProcess, type SpawnOptions, type StdioOptions, spawn } from 'node:child_process';

const running = new Set<ChildProcess>();
const PATIENCE_MS = 10_000;

// However this process ends, its child processes must end too.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** Starts a Node process with an IPC channel. It ends at the latest with this process. */
export function startNode(args: string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const stdio: StdioOptions = ['ignore', 'inherit', 'inherit', 'ipc'];
  // Advanced, so that a missing figure arrives as NaN.
  return keep(spawn(process.execPath, args, { stdio, env, serialization: 'advanced' }));
}

/** Starts a program that ends at the latest with this process. */
export function startProgram(program: string, args: string[], options: SpawnOptions): ChildProcess {
  return keep(spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] }));
}

function keep(child: ChildProcess): ChildProcess {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await gone;
  clearTimeout(force);
}

/** The next message of the child. Rejects if it exits first. */
export function nextMessageFrom<T>(child: ChildProcess): Promise<T> {
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
