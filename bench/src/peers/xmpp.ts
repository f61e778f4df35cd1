// What both XMPP servers have in common.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forEachConcurrently } from '../../../server/src/limits/concurrency.ts';
import { freePort } from '../../../tools/freePorts.ts';
import { startProgram, stopChild } from '../children.ts';
import { cpuOfFamily } from '../cpu.ts';
import { listens } from '../gateway.ts';
import type { BenchDatabase, Engines } from '../stage.ts';
import { archiveIn, type Product, type Server } from './product.ts';
import { ROOT } from './root.ts';
import { XmppClient } from './xmppClient.ts';
import type { XmppSetup } from './xmppGenerator.ts';

const GENERATOR = fileURLToPath(new URL('xmppGenerator.ts', import.meta.url));
/** The folder that a server can write to, with its configuration. */
export const FILES = '/srv';
const PAIRS = 200;
const WIDTH = 20;

export type XmppServer = Pick<Product, 'name' | 'version' | 'rates'> & {
  config: { file: string; text(port: number, database: URL): string };
  command: string[];
  /** Its table of archived messages. */
  archive: string;
};

/** `idle`: how many idle sessions there will be. */
export async function xmppProduct(engines: Engines, server: XmppServer, idle: number): Promise<Product> {
  const database = await engines.createEmptyDatabase();
  // Prosody asks for its tables again on every start, and PostgreSQL would say so each time.
  const name = new URL(database.ownerUrl).pathname.slice(1);
  await database.run(`alter database ${name} set client_min_messages = warning`);
  const folder = mkdtempSync(join(tmpdir(), 'settee-peer-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const product: Product = {
    ...server,
    idleShare: 1,
    start: () => start(engines, server, database, folder),
    // Each message has two rows: one in the archive of each side.
    ...archiveIn(database, `select count(*) / 2 as count from ${server.archive}`),
  };
  await createAccounts(product, idle);
  return product;
}

async function createAccounts(product: Product, idle: number): Promise<void> {
  const server = await product.start();
  const { port, senders, receivers } = server.setup as XmppSetup;
  const { receivers: others } = (await server.sessions(0, idle)) as XmppSetup;
  try {
    await forEachConcurrently([...senders, ...receivers, ...others], WIDTH, (user) =>
      XmppClient.register(port, user),
    );
    await forEachConcurrently([...senders, ...receivers], WIDTH, async (user) => {
      const client = await XmppClient.login(port, user);
      await client.archiveAll();
      client.close();
    });
  } finally {
    await server.stop();
  }
}

async function start(
  engines: Engines,
  { config, command }: XmppServer,
  database: BenchDatabase,
  folder: string,
): Promise<Server> {
  const port = await freePort();
  writeFileSync(join(folder, config.file), config.text(port, new URL(database.ownerUrl)));
  const inRoot = [
    ...['--ro-bind', ROOT, '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/run'],
    // Prosody refuses to run as root.
    ...['--bind', folder, FILES, '--unshare-user', '--uid', '1000', '--gid', '1000', '--die-with-parent'],
  ];
  const child = startProgram('bwrap', [...inRoot, ...command], {
    env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: FILES },
  });
  await listens(child, port);
  const users = (kind: string, from: number, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${kind}${from + index}`);
  return {
    generator: GENERATOR,
    setup: {
      port,
      senders: users('sender', 0, PAIRS),
      receivers: users('receiver', 0, PAIRS),
    } satisfies XmppSetup,
    cpu: () => ({
      gateway: cpuOfFamily(child.pid),
      postgres: cpuOfFamily(engines.pids.postgres),
      nats: 0,
    }),
    calls: async () => 0,
    stop: () => stopChild(child),
    pid: child.pid,
    sessions: async (from, count): Promise<XmppSetup> => ({
      port,
      senders: [],
      receivers: users('idle', from, count),
    }),
  };
}
