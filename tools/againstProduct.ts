import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { startPushService } from '../server/test/push/pushService.ts';
import { migrate } from '../server/testing/installation.ts';
import { makeVapidKey } from '../server/testing/rules.ts';
import { answers } from './answers.ts';
import { wasBuilt } from './built.ts';
import { startEngines } from './engines/engines.ts';
import { freePort } from './freePorts.ts';
import { createFreshDatabase } from './freshDatabase.ts';

type Options = {
  /** Additional environment of the gateway and the program. */
  environment?: NodeJS.ProcessEnv;
  /** Commands of settee to run before the gateway starts. */
  cli?: string[][];
};

/**
 * Runs a program against the built product: real engines, an empty database, one gateway and a push service on loopback.
 * Their addresses are in its environment (PUBLIC_URL, DATABASE_URL, PUSH_SERVICE_URL, …). Cleans up at the end and
 * returns the exit code.
 */
export async function againstProduct(
  [program, ...args]: [program: string, ...args: string[]],
  { environment: more = {}, cli = [] }: Options = {},
): Promise<number> {
  const engines = await startEngines({ instance: 'e2e', require: true });
  const database = await createFreshDatabase(engines.DATABASE_URL, { prefix: 'e2e' });
  const port = await freePort();
  const pushService = await startPushService({ port: await freePort() });
  const environment = {
    ...process.env,
    ...engines,
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    ALLOW_UNSAFE_DATABASE: 'true',
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    SECRET: randomBytes(32).toString('hex'),
    LOG_LEVEL: 'warn',
    SECURITY_LOG: 'off',
    // All browsers share one address.
    LOOKUPS_PER_MINUTE: '10000',
    LIMIT_FACTOR: '1000',
    CODES_PER_HOUR: '1000',
    // Tests change the database, and the pages find it with the next sweep.
    SWEEP_SECONDS: '1',
    VAPID_PRIVATE_KEY: makeVapidKey(),
    VAPID_SUBJECT: 'mailto:push@settee.example',
    PUSH_HOSTS: pushService.host,
    PUSH_SERVICE_URL: pushService.origin,
    NODE_EXTRA_CA_CERTS: pushService.certificate.certPath,
    ...more,
  };
  let gateway: ChildProcess | undefined;
  try {
    await migrate({ databaseUrl: database.url, databaseOwnerUrl: database.ownerUrl });
    const before: [program: string, ...args: string[]][] = [
      ...(wasBuilt() ? [] : [['npm', 'run', '--silent', 'build'] satisfies [string, ...string[]]]),
      // Without an administrator the landing page would show the setup.
      ...[['admin', 'create', '--email', 'operator@settee.example'], ...cli].map(
        (args): [string, ...string[]] => [process.execPath, 'server/src/cli.ts', ...args],
      ),
    ];
    for (const [first, ...rest] of before) {
      const { status } = spawnSync(first, rest, { stdio: ['ignore', 'ignore', 'inherit'], env: environment });
      if (status !== 0) return status ?? 1;
    }
    gateway = spawn(process.execPath, ['server/src/main.ts'], { stdio: 'inherit', env: environment });
    await answers(`${environment.PUBLIC_URL}/brand`, () => gateway?.exitCode !== null);
    return await finished(spawn(program, args, { stdio: 'inherit', env: environment }));
  } finally {
    gateway?.kill('SIGTERM');
    if (gateway?.exitCode === null && gateway.signalCode === null)
      await new Promise((done) => gateway?.once('exit', done));
    await pushService.stop();
    await database.drop();
  }
}

/** Ctrl+C also reaches the program. SIGTERM is forwarded to it. */
async function finished(child: ChildProcess): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const end = (): void => void child.kill('SIGTERM');
  const wait = (): void => {};
  process.once('SIGTERM', end).on('SIGINT', wait);
  child.once('error', reject).once('exit', (code) => resolve(code ?? 1));
  try {
    return await promise;
  } finally {
    process.off('SIGTERM', end).off('SIGINT', wait);
  }
}
