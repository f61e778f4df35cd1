import { spawn } from 'node:child_process';
import type { WorkerFixture } from '@playwright/test';
import { migrate } from '../../server/testing/installation.ts';
import { answers } from '../../tools/answers.ts';
import { freePort } from '../../tools/freePorts.ts';
import { createFreshDatabase } from '../../tools/freshDatabase.ts';
import { createHandler, createInvite, type Handler, settee } from './accounts.ts';

export type Installation = {
  url: string;
  databaseUrl: string;
  /** Runs `settee brand set …`. The gateway's sweep finds the change within seconds. */
  setBrand(...options: string[]): void;
  handler(): Handler;
  /** The path of a new invite, for this desk or for any. */
  invite(alias?: string): string;
  stop(): Promise<void>;
};

type Empty = {
  url: string;
  databaseUrl: string;
  env: NodeJS.ProcessEnv;
  /** The gateway's output so far. */
  printed(): string;
  stop(): Promise<void>;
};

/** Starts a gateway with an empty database. The options change its environment. */
export async function startEmptyInstallation(changes: Record<string, string> = {}): Promise<Empty> {
  const database = await createFreshDatabase(process.env.DATABASE_OWNER_URL ?? '', { prefix: 'e2e_own' });
  try {
    await migrate({ databaseUrl: database.url, databaseOwnerUrl: database.ownerUrl });
    const gateway = await startGateway({ DATABASE_URL: database.url, ...changes });
    const stop = async (): Promise<void> => {
      await gateway.stop();
      await database.drop();
    };
    return { ...gateway, databaseUrl: database.url, stop };
  } catch (error) {
    await database.drop();
    throw error;
  }
}

/** Starts another gateway of the shared installation. The options change its environment. */
export async function startGateway(
  changes: Record<string, string> = {},
  host = 'localhost',
): Promise<Omit<Empty, 'databaseUrl'>> {
  const port = changes.PORT ?? String(await freePort());
  const url = `http://localhost:${port}`;
  const env = { ...process.env, PORT: port, PUBLIC_URL: `http://${host}:${port}`, ...changes };
  const gateway = spawn(process.execPath, ['server/src/main.ts'], {
    stdio: ['inherit', 'pipe', 'inherit'],
    env,
    cwd: `${import.meta.dirname}/../..`,
  });
  let printed = '';
  gateway.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const stop = async (): Promise<void> => {
    gateway.kill('SIGTERM');
    if (gateway.exitCode === null && gateway.signalCode === null)
      await new Promise((done) => gateway.once('exit', done));
  };
  try {
    await answers(`${url}/brand`, () => gateway.exitCode !== null);
    return { url, env, printed: () => printed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A worker fixture: the installation starts when a test first uses it, and stops with its worker. */
export function forWorker<Started extends { stop(): Promise<void> }>(start: () => Promise<Started>) {
  return [
    async ({ browserName: _ }: { browserName: string }, use: (started: Started) => Promise<void>) => {
      const started = await start();
      try {
        await use(started);
      } finally {
        await started.stop();
      }
    },
    { scope: 'worker' },
  ] as [WorkerFixture<Started, { browserName: string }>, { scope: 'worker' }];
}

/** The same as startEmptyInstallation, with a handler at a desk. */
export async function startInstallation(changes: Record<string, string> = {}): Promise<Installation> {
  const { url, databaseUrl, env, stop } = await startEmptyInstallation(changes);
  try {
    const desk = createHandler(undefined, env);
    return {
      url,
      databaseUrl,
      setBrand: (...options) => void settee(['brand', 'set', ...options], env),
      handler: () => createHandler(undefined, env),
      invite: (alias = desk.alias) => createInvite(alias, env),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
