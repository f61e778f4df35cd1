import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEngines, stopEngines } from '../../../tools/engines/engines.ts';
import { postgresBinaries, postgresUser } from '../../../tools/engines/postgres-binaries.ts';
import { readRecord } from '../../../tools/engines/state.ts';
import { freePorts } from '../../../tools/freePorts.ts';
import { causeFaults } from '../faults/causeFaults.ts';
import { type Findings, loadChecks, type Run, type Scenario, underLoad } from '../scenario.ts';
import {
  createDatabase,
  onLeave,
  query,
  settingsOf,
  startAll,
  unexpectedEnds,
} from '../topology/installation.ts';
import { lacks, MACHINE, MOUNTED, VirtualMachine } from '../topology/virtualMachine.ts';
import { openDevices } from '../world/devices.ts';
import { until } from '../world/time.ts';
import { createWorld } from '../world/world.ts';

const ORIGIN = 'http://powercut.test';
const ANSWERS_WITHIN_MS = 20_000;
const STORED_WITHIN_MS = 60_000;
const IMAGE_BYTES = 40_000;
const PAUSE_MS = 50;
/** Fifty cuts take half an hour on an idle machine. */
const LIMIT_SECONDS = 7_200;

type Place = Awaited<ReturnType<typeof topology>>;

/** A gateway here. Its PostgreSQL and a folder of images are on a machine whose power can be cut. */
async function topology(run: Run) {
  const instance = MACHINE;
  onLeave(() => stopEngines({ instance }));
  // The people arrive while PostgreSQL is still here, because that is faster.
  const { DATABASE_URL } = await startEngines({ instance, require: true, only: ['postgres'] });
  const database = await createDatabase(DATABASE_URL);
  const [imagesPort = 0, port = 0] = await freePorts(2);
  const env = {
    ...settingsOf(run.instance, { origin: ORIGIN }),
    ...{ DATABASE_URL: database.url, RUN_JOBS: 'false' },
    // A new connection costs the slow machine much time.
    DATABASE_CONNECTIONS: '2',
  };
  const [gateway] = await startAll([{ name: 'gateway', port, build: run.build, env }]);
  if (gateway === undefined) throw new Error('there is no gateway');
  const desks = await createWorld({ env, database, build: run.build, port, desks: 2, chatsPerDesk: 3 });
  // Its attempts to connect would delay the start.
  gateway.pause();
  await stopEngines({ instance });
  const { folder = '', port: databasePort } = readRecord(instance, 'postgres') ?? { port: 0 };
  const user = postgresUser();
  // PostgreSQL refuses to run as root. After a power cut, the process that its file names may be another one.
  const start = `cd ${MOUNTED}
rm -f data/postmaster.pid
setpriv --reuid=${user?.uid} --regid=${user?.gid} --clear-groups ${postgresBinaries(user)}/postgres -D ${MOUNTED}/data \\
  -p ${databasePort} -c listen_addresses='*' -c unix_socket_directories= -c jit=off &
MEDIA_ROOT=${MOUNTED}/media PORT=${imagesPort} exec ${process.execPath} ${run.build}/server/testing/keepImages.ts
`;
  writeFileSync(join(folder, 'start'), start);
  appendFileSync(join(folder, 'data/pg_hba.conf'), 'host all all all scram-sha-256\n');
  const { mountOptions } = run.options({ mountOptions: 'rw' });
  const machine = new VirtualMachine({ folder, ports: [databasePort, imagesPort], mountOptions });
  rmSync(folder, { recursive: true });
  const imagesUrl = `http://127.0.0.1:${imagesPort}`;
  const boot = async (): Promise<void> => {
    gateway.pause();
    await machine.boot(async () => {
      const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
      const asked = await Promise.allSettled([
        fetch(imagesUrl, { signal }),
        query(DATABASE_URL, 'select 1', [], ANSWERS_WITHIN_MS),
      ]);
      return asked.every(({ status }) => status === 'fulfilled');
    });
    gateway.resume();
  };
  await boot();
  return {
    ...{ machine, boot, imagesUrl, gateway, desks, database },
    async close() {
      await gateway.kill();
      await machine.close();
    },
  };
}

async function prove(place: Place, run: Run): Promise<Findings> {
  const { machine, gateway, database } = place;
  const { port } = gateway;
  const options = run.options({ cuts: run.size(3, 50), restMs: 20_000, recoverSeconds: 60 });
  const cuts = Math.ceil(options.cuts * run.part);
  const sends = 100 * cuts;
  const acked = new Map<string, string>();
  const over = new AbortController();
  let storing = Promise.resolve();
  let before = 0;
  const storeImages = (): void => {
    before = acked.size;
    storing = store(place.imagesUrl, acked, over.signal);
  };
  const cause = async (): Promise<string> => {
    // Otherwise the cut would prove nothing about images.
    if (!(await until(() => acked.size > before))) throw new Error('no image was stored');
    await machine.cutPower();
    await storing;
    const note = `${acked.size - before} images`;
    await place.boot();
    storeImages();
    return note;
  };
  const findings = await underLoad(run, {
    wanted: { sends, faults: cuts },
    thinkMs: 500,
    restMs: options.restMs,
    async arrive({ random, recorder }) {
      const from = { databaseUrl: database.url, gatewayPorts: [port] };
      const where = { ...from, from, port, origin: ORIGIN, speed: 1 };
      // A retry would store again what was lost.
      return [await openDevices(place.desks, { ...where, random, recorder, retries: 0 })];
    },
    async act({ crowds, recorder, history }) {
      const devices = crowds.flatMap((crowd) => crowd.devices);
      const random = run.random.fork('cuts');
      storeImages();
      await causeFaults(repeated({ kinds: ['power cut'], cause }), {
        ...{ ...options, faults: cuts, sends, seconds: LIMIT_SECONDS, recoveredShare: 0.9 },
        ...{ devices, random, recorder, history, log: run.log },
      });
      over.abort();
      await storing;
    },
  });
  const images = await lostImages(place.imagesUrl, acked);
  run.report.figure(`${cuts} power cuts, ${acked.size} images acknowledged, ${images.length} lost`);
  return { ...findings, images, ends: unexpectedEnds([gateway]) };
}

function* repeated<Item>(item: Item): Generator<Item> {
  for (;;) yield item;
}

/**
 * Stores one image after another until one fails, each in a folder of its own, like those of different conversations.
 * `acked` gets the hashes of those whose storing was acknowledged, by path.
 */
async function store(url: string, acked: Map<string, string>, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const bytes = randomBytes(IMAGE_BYTES);
    const path = `conversations/${randomUUID()}/media/${randomUUID()}.png`;
    const answer = await ask(`${url}/${path}`, { method: 'PUT', body: bytes });
    if (!answer?.ok) return;
    acked.set(path, hashOf(bytes));
    await sleep(PAUSE_MS);
  }
}

async function lostImages(url: string, acked: ReadonlyMap<string, string>): Promise<string[]> {
  const lost: string[] = [];
  for (const [path, hash] of acked) {
    const answer = await ask(`${url}/${path}`);
    const bytes = await answer?.bytes();
    if (bytes === undefined || hashOf(bytes) !== hash)
      lost.push(`${path}: ${answer?.status}, ${bytes?.length} of ${IMAGE_BYTES} bytes`);
  }
  return lost;
}

function ask(url: string, request: RequestInit = {}): Promise<Response | undefined> {
  const signal = AbortSignal.timeout(STORED_WITHIN_MS);
  return fetch(url, { signal, ...request }).catch(() => undefined);
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Most are found at the first cut. */
const few = { cuts: 4, restMs: 5_000, recoverSeconds: 30 };

export const scenario: Scenario<Place> = {
  what: 'the power of the machine with PostgreSQL and the images is cut while people write',
  lacks,
  topology,
  prove,
  checks: {
    ...loadChecks,
    images: 'after every power cut, each acknowledged image is there with the same bytes',
    ends: 'the gateway does not end unexpectedly',
  },
  sabotages: {
    'files-in-memory': {
      what: 'neither a commit nor the file of an image waits for the disk',
      mustBreak: ['lost', 'images'],
      options: few,
      patches: [
        {
          file: 'server/src/platform/db/primaryClient.ts',
          find: "'-c synchronous_commit=on'",
          put: "'-c synchronous_commit=off'",
        },
        { file: 'server/src/media/diskMedia.adapter.ts', find: 'await file.sync();', put: '' },
      ],
    },
    'folder-in-memory': {
      what: 'an image does not wait until its folder is on the disk',
      mustBreak: ['images'],
      // Only the last image before a cut can be lost.
      options: { ...few, cuts: 12 },
      patches: [
        { file: 'server/src/media/diskMedia.adapter.ts', find: 'await syncFolder(folder);', put: '{}' },
      ],
    },
    'disk-cache': {
      what: 'the file system does not tell the disk to write its cache',
      mustBreak: ['lost', 'images'],
      options: { ...few, mountOptions: 'nobarrier' },
    },
  },
};
