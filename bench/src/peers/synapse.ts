import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';
import { promisify } from 'node:util';
import { forEachConcurrently } from '../../../server/src/limits/concurrency.ts';
import { cacheFolder } from '../../../tools/engines/state.ts';
import { freePort } from '../../../tools/freePorts.ts';
import { startProgram, stopChild } from '../children.ts';
import { cpuOf, cpuOfFamily } from '../cpu.ts';
import { listens } from '../gateway.ts';
import type { BenchDatabase, Engines } from '../stage.ts';
import { callMatrix } from './matrix.ts';
import type { MatrixPair, MatrixSetup } from './matrixGenerator.ts';
import { archiveIn, type Product, type Server } from './product.ts';

const run = promisify(execFile);
const GENERATOR = fileURLToPath(new URL('matrixGenerator.ts', import.meta.url));
const VERSION = '1.160.0';
const PAIRS = 20;
/** Creating rooms and accounts is slow, and faster one after another than all at once. */
const WIDTH = 4;

const NO_LIMIT = '{per_second: 100000, burst_count: 100000}';
const config = (port: number, folder: string, database: URL): string => `
server_name: localhost
report_stats: false
macaroon_secret_key: benchmark
form_secret: benchmark
signing_key_path: ${folder}/signing.key
log_config: ${folder}/log.yaml
media_store_path: ${folder}/media
trusted_key_servers: []
listeners:
  - {port: ${port}, type: http, bind_addresses: [127.0.0.1], resources: [{names: [client]}]}
database:
  name: psycopg2
  allow_unsafe_locale: true
  args:
    host: ${database.hostname}
    port: ${database.port}
    dbname: ${database.pathname.slice(1)}
    user: ${database.username}
    password: "${database.password}"
    cp_min: 5
    cp_max: 10
caches: {global_factor: 4}
presence: {enabled: false}
enable_registration: true
enable_registration_without_verification: true
bcrypt_rounds: 4
encryption_enabled_by_default_for_room_type: "off"
rc_message: ${NO_LIMIT}
rc_registration: ${NO_LIMIT}
rc_room_creation: ${NO_LIMIT}
rc_login: {address: ${NO_LIMIT}, account: ${NO_LIMIT}, failed_attempts: ${NO_LIMIT}}
rc_joins: {local: ${NO_LIMIT}, remote: ${NO_LIMIT}}
rc_joins_per_room: ${NO_LIMIT}
rc_invites: {per_room: ${NO_LIMIT}, per_user: ${NO_LIMIT}, per_issuer: ${NO_LIMIT}}
`;
const LOG = `
version: 1
handlers: {none: {class: logging.NullHandler}}
root: {level: ERROR, handlers: [none]}
`;

/** Synapse from PyPI, in the cache. Needs Python 3.10 or newer. */
async function installed(): Promise<string> {
  const folder = join(cacheFolder(), `synapse-${VERSION}`);
  const program = join(folder, 'bin/synapse_homeserver');
  if (existsSync(program)) return program;
  process.stderr.write('installing Synapse; this takes a minute, once …\n');
  await run('python3', ['-m', 'venv', folder]);
  // Synapse last, because its program marks a complete folder.
  for (const name of ['psycopg2-binary', `matrix-synapse==${VERSION}`])
    await run(join(folder, 'bin/pip'), ['install', '--quiet', name]);
  return program;
}

export async function synapse(engines: Engines, idle: number): Promise<Product> {
  const program = await installed();
  const database = await engines.createEmptyDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'settee-peer-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const people: People = { pairs: [], idle: [] };
  const product: Product = {
    name: 'Synapse',
    version: VERSION,
    rates: [5, 10, 15, 20, 25, 30, 40],
    idleShare: 0.1,
    start: () => start(engines, { program, database, folder, people }),
    ...archiveIn(database, `select count(*) from events where type = 'm.room.message'`),
  };
  const server = await product.start();
  try {
    await createPeople((server.setup as MatrixSetup).port, people, idle * product.idleShare);
  } finally {
    await server.stop();
  }
  return product;
}

/** `idle` has tokens. */
type People = { pairs: MatrixPair[]; idle: string[] };

async function createPeople(port: number, people: People, idle: number): Promise<void> {
  const register = async (username: string): Promise<{ access_token: string; user_id: string }> =>
    callMatrix(port, 'POST', 'register', undefined, {
      ...{ username, password: 'benchmark', auth: { type: 'm.login.dummy' } },
    });
  await forEachConcurrently([...Array(PAIRS).keys()], WIDTH, async (index) => {
    const sender = await register(`sender${index}`);
    const receiver = await register(`receiver${index}`);
    const { room_id: room } = await callMatrix<{ room_id: string }>(
      ...([port, 'POST', 'createRoom', sender.access_token] as const),
      { preset: 'trusted_private_chat', is_direct: true, invite: [receiver.user_id] },
    );
    await callMatrix(port, 'POST', `join/${encodeURIComponent(room)}`, receiver.access_token, {});
    people.pairs.push({ sender: sender.access_token, receiver: receiver.access_token, room });
  });
  await forEachConcurrently([...Array(idle).keys()], WIDTH, async (index) => {
    people.idle.push((await register(`idle${index}`)).access_token);
  });
}

async function start(
  engines: Engines,
  of: { program: string; database: BenchDatabase; folder: string; people: People },
): Promise<Server> {
  const port = await freePort();
  const file = join(of.folder, 'homeserver.yaml');
  writeFileSync(file, config(port, of.folder, new URL(of.database.ownerUrl)));
  writeFileSync(join(of.folder, 'log.yaml'), LOG);
  await run(of.program, ['--config-path', file, '--generate-keys']);
  const child = startProgram(of.program, ['--config-path', file], { cwd: of.folder });
  await listens(child, port);
  return {
    generator: GENERATOR,
    setup: { port, pairs: of.people.pairs, idle: [] } satisfies MatrixSetup,
    cpu: () => ({ gateway: cpuOf(child.pid), postgres: cpuOfFamily(engines.pids.postgres), nats: 0 }),
    calls: async () => 0,
    stop: () => stopChild(child),
    pid: child.pid,
    sessions: async (from, count): Promise<MatrixSetup> => ({
      port,
      pairs: [],
      idle: of.people.idle.slice(from, from + count),
    }),
  };
}
