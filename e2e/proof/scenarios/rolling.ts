import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../../tools/freePorts.ts';
import { buildPatched } from '../patch.ts';
import { type Findings, loadChecks, type Run, type Sabotage, type Scenario, underLoad } from '../scenario.ts';
import { type Backend, type Balancer, startBalancer } from '../topology/balancer.ts';
import type { GatewayProcess } from '../topology/gatewayProcess.ts';
import {
  createDatabase,
  type Database,
  ROOT,
  settingsOf,
  startAll,
  startStores,
  unexpectedEnds,
} from '../topology/installation.ts';
import { LOCKS_LONG, nextMigrations, nextPatches } from '../topology/nextRelease.ts';
import { previousRelease, settee } from '../topology/releases.ts';
import type { Connections } from '../world/connections.ts';
import { type Crowd, openDevices } from '../world/devices.ts';
import { PageDevice } from '../world/page.ts';
import type { Recorder } from '../world/recorder.ts';
import { PATIENCE_MS, spread, until } from '../world/time.ts';
import { createWorld } from '../world/world.ts';
import { ackBeforeCommit } from './ackBeforeCommit.ts';

/** What people notice at most. Only judged at night. */
const BACK_WITHIN_MS = 10_000;
const STALL_MAX_MS = 4_000;
/** Longer than a stopping gateway may take. */
const EXITS_WITHIN_MS = 60_000;
const SIDE_BY_SIDE_MS = 3_000;
const BREATH_MS = 700;
/** A sabotaged run may never rest. */
const REST_MS = 60_000;
/** The average time between two messages of a device. */
const THINK_MS = 1_500;
/** For one gateway only, so that pages move between a gateway with traces and one without. Nothing collects them. */
const TRACED = { TRACES_URL: 'http://127.0.0.1:9', TRACES_SHARE: '1' };

/** A gateway and its place in the balancer. */
type Side = Backend & { process: GatewayProcess };

/** Two gateways of the previous release behind a balancer, a worker, and their engines. */
type Place = {
  sides: [Side, Side];
  worker: GatewayProcess;
  balancer: Balancer;
  origin: string;
  env: Record<string, string>;
  database: Database;
  /** The folders of the two releases. */
  previous: string;
  next: string;
  close(): Promise<void>;
};

async function topology(run: Run): Promise<Place> {
  const previous =
    run.sabotage === undefined
      ? previousRelease(ROOT)
      : { build: run.build, name: 'a sabotage', remove() {} };
  const more = run.options({ migrations: {} }).migrations;
  const next = buildPatched(ROOT, nextPatches, { ...nextMigrations, ...more });
  run.log(`from ${previous.name} to the next release`);
  const { postgresUrl, natsUrl } = await startStores(run.instance);
  const database = await createDatabase(postgresUrl, previous);
  const origin = 'http://rolling.test';
  const env = {
    ...settingsOf(run.instance, { origin }),
    DATABASE_URL: database.url,
    NATS_URL: natsUrl,
    RUN_JOBS: 'false',
    // Longer than the balancer needs to notice that a gateway stops.
    STOP_DELAY_SECONDS: '1',
  };
  const names = ['gateway A', 'gateway B', 'worker'];
  const ports = await freePorts(2 * names.length);
  const options = names.map((name, at) => {
    const [port = 0, privatePort = 0] = ports.slice(2 * at);
    return {
      name,
      port,
      readyUrl: `http://127.0.0.1:${privatePort}/readyz`,
      build: previous.build,
      env: { ...env, PRIVATE_PORT: String(privatePort), ...(name === 'gateway B' && TRACED) },
      ...(name === 'worker' && { entry: 'server/src/jobs/worker.ts' }),
    };
  });
  const processes = await startAll(options);
  const sides = options.map((side, at) => ({ ...side, process: processes[at] })).slice(0, 2) as unknown as [
    Side,
    Side,
  ];
  const balancer = await startBalancer(sides);
  return {
    sides,
    worker: processes[2] as GatewayProcess,
    balancer,
    origin,
    env,
    database,
    previous: previous.build,
    next: next.build,
    async close() {
      balancer.close();
      await Promise.all(processes.map((each) => each.kill()));
      await database.drop();
      previous.remove();
      next.remove();
    },
  };
}

async function prove(place: Place, run: Run): Promise<Findings> {
  const { balancer, sides, worker } = place;
  const options = run.options({
    desks: run.size(5, 20),
    restarts: run.full,
    finishes: true,
    patienceMs: run.timed ? BACK_WITHIN_MS : PATIENCE_MS,
    /** The speed of the pages' clocks. */
    speed: 1,
  });
  let upgrade: Upgrade | undefined;
  let offline: string[] = [];
  const findings = await underLoad(run, {
    wanted: { sends: 200, faults: 0 },
    thinkMs: THINK_MS,
    restMs: run.sabotage === undefined ? PATIENCE_MS : REST_MS,
    async arrive({ random, recorder }) {
      const { port } = balancer;
      const where = { ...place, build: place.previous, port };
      const desks = await createWorld({ ...where, desks: options.desks, chatsPerDesk: 3 });
      const from = { databaseUrl: place.database.url, gatewayPorts: [port] };
      const parts = { origin: place.origin, port, from, recorder, random, gatewayPorts: [], retries: 0 };
      return [await openDevices(desks, { ...parts, speed: options.speed })];
    },
    async act({ crowds: [crowd], recorder }) {
      if (crowd === undefined) throw new Error('nobody came');
      upgrade = new Upgrade(place, crowd, recorder, options.patienceMs, run.log);
      const desks = await watchDesks(place.database);
      await sleep(1_500);
      if (options.restarts) for (const side of sides) await upgrade.restart(side);
      await upgrade.begin();
      if (options.finishes) await upgrade.finish();
      await until(() => crowd.connections.away().length === 0, options.patienceMs);
      offline = await desks.stop();
    },
  });
  if (upgrade === undefined) throw new Error('there was no upgrade');
  const { connections } = upgrade.crowd;
  const closes = [...connections.codes].map(([code, count]) => `${count} × ${code}`).join(', ');
  run.report.figure(
    `sockets closed: ${closes}; back and up to date after ${spread(connections.took)}\nSIGTERM to exit: ${upgrade.exits.join(' ms, ')} ms; migration under load: ${upgrade.migrationMs} ms; longest wait for an ack ${upgrade.longestWaitMs} ms`,
  );
  // Together, the two restarts disconnect every page.
  const untried = options.restarts ? connections.neverDisconnected() : [];
  return {
    ...findings,
    back: [...connections.late(run.timed ? BACK_WITHIN_MS : PATIENCE_MS), ...untried],
    exits: upgrade.badExits,
    presence: [
      ...offline,
      ...connections.shownOffline,
      ...untried.filter((page) => page.startsWith('console')),
    ],
    unready: upgrade.readyTooEarly,
    ...(run.timed && {
      stall: upgrade.longestWaitMs > STALL_MAX_MS ? [`a message waited for ${upgrade.longestWaitMs} ms`] : [],
    }),
    ...(options.finishes && { sides: upgrade.unusedReleases }),
    ends: unexpectedEnds([...sides.map(({ process }) => process), worker]),
  };
}

/** The steps of an operator, and their results. */
class Upgrade {
  readonly crowd: Crowd;
  readonly badExits: string[] = [];
  readonly readyTooEarly: string[] = [];
  readonly unusedReleases: string[] = [];
  /** Milliseconds from SIGTERM to exit, for each process. */
  readonly exits: number[] = [];
  /** For an ack, during the migration. */
  longestWaitMs = 0;
  migrationMs = 0;
  readonly #place: Place;
  readonly #connections: Connections;
  readonly #recorder: Recorder;
  /** How long to wait for pages to reconnect. */
  readonly #patienceMs: number;
  readonly #log: (line: string) => void;

  constructor(
    place: Place,
    crowd: Crowd,
    recorder: Recorder,
    patienceMs: number,
    log: (line: string) => void,
  ) {
    this.#place = place;
    this.crowd = crowd;
    this.#connections = crowd.connections;
    this.#recorder = recorder;
    this.#patienceMs = patienceMs;
    this.#log = log;
  }

  /** Restarts a gateway, as the same or another release. */
  async restart(side: Side): Promise<void> {
    await this.#end(side.process);
    await this.#waitForPages();
    await side.process.start();
    await this.#waitUntilReady(side);
  }

  /** Starts the first gateway as the next release before the migration. It must wait. */
  async begin(): Promise<void> {
    const { sides, next } = this.#place;
    const [first] = sides;
    first.process.change({ build: next });
    await this.#end(first.process);
    await this.#waitForPages();
    const serves = first.process.launch();
    await this.#reportsMissingMigrations(first);
    await this.#migrate();
    await serves();
    await this.#waitUntilReady(first);
  }

  /** Runs both releases for a while, then upgrades the second gateway and the worker. */
  async finish(): Promise<void> {
    const { sides, worker, next } = this.#place;
    const { before, after } = await this.#runSideBySide();
    this.#log(`both releases: ${before} messages by the old one and ${after} by the new one`);
    if (before === 0) this.unusedReleases.push('the previous release stored nothing after the migration');
    if (after === 0) this.unusedReleases.push('the next release stored nothing');
    sides[1].process.change({ build: next });
    await this.restart(sides[1]);
    worker.change({ build: next });
    await this.#end(worker);
    await worker.start();
  }

  /** Runs both releases for a while, on a busy machine until both have stored a message. */
  async #runSideBySide(): Promise<{ before: number; after: number }> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      // Only new connections reach the gateway that has none, and only when the balancer has seen that it is ready.
      for (const device of this.crowd.devices)
        if (device instanceof PageDevice && device.name.startsWith('second device')) device.dropConnection();
      await sleep(SIDE_BY_SIDE_MS);
      const sides = await countSides(this.#place.database);
      if ((sides.before > 0 && sides.after > 0) || performance.now() > deadline) return sides;
    }
  }

  async #migrate(): Promise<void> {
    const { env, database, next } = this.#place;
    const began = performance.now();
    await settee(next, { ...env, DATABASE_OWNER_URL: database.ownerUrl }, ['migrate']);
    this.migrationMs = Math.round(performance.now() - began);
    await sleep(BREATH_MS);
    this.longestWaitMs = Math.round(this.#recorder.longestWait(began));
    this.#log(`migrated under load in ${this.migrationMs} ms`);
  }

  async #end(process: GatewayProcess): Promise<void> {
    const { code, tookMs } = await process.terminate(EXITS_WITHIN_MS);
    this.exits.push(tookMs);
    this.#log(`${process.name} ended with ${code} after ${tookMs} ms`);
    if (code !== 0) this.badExits.push(`${process.name} ended with ${code} after ${tookMs} ms`);
  }

  async #waitUntilReady(side: Side): Promise<void> {
    await until(() => this.#place.balancer.isReady(side));
    await this.#waitForPages();
  }

  async #waitForPages(): Promise<void> {
    await until(() => this.#connections.away().length === 0, this.#patienceMs);
    await sleep(BREATH_MS);
  }

  async #reportsMissingMigrations(side: Side): Promise<void> {
    const { balancer } = this.#place;
    const given = balancer.given(side);
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await fetch(side.readyUrl).catch(() => undefined);
      const body = await answer?.text();
      if (answer?.ok) {
        this.readyTooEarly.push(`it reported that it is ready: ${body}`);
        return;
      }
      if (body?.includes('migrations')) {
        this.#log(`before the migration, ${side.process.name} answers ${answer?.status}: ${body.trim()}`);
        break;
      }
      if (performance.now() > deadline) {
        this.readyTooEarly.push(`it did not report the missing migrations: ${body}`);
        return;
      }
      await sleep(50);
    }
    await sleep(BREATH_MS);
    const more = balancer.given(side) - given;
    if (more > 0) this.readyTooEarly.push(`it got ${more} connections`);
  }
}

/** The number of messages that each release stored since the migration. */
async function countSides(database: Database): Promise<{ before: number; after: number }> {
  const [row] = await database.run<{ before: number; after: number }>(
    `select count(*) filter (where n.message_id is null)::int as before, count(n.message_id)::int as after
     from messages m left join next_marks n on n.message_id = m.id
     where m.created_at > (select max(run_on) from migrations)`,
  );
  return row ?? { before: 0, after: 0 };
}

/** Checks continuously whether the desks count as staffed. Their handlers never leave. */
async function watchDesks(database: Database): Promise<{ stop(): Promise<string[]> }> {
  const since = new Map<string, number>();
  const found: string[] = [];
  const opened = performance.now();
  let stopped = false;
  const look = async (): Promise<void> => {
    const rows = await database.run<{ alias: string }>(
      `select alias from handlers h
       where not exists (select from presence p where p.alias = h.alias and p.expires_at > now())`,
    );
    const offline = new Set(rows.map(({ alias }) => alias));
    const now = performance.now();
    for (const alias of offline) if (!since.has(alias)) since.set(alias, now);
    for (const [alias, began] of since) {
      if (offline.has(alias)) continue;
      since.delete(alias);
      found.push(
        `${alias} was offline for about ${Math.round(now - began)} ms, from ${((began - opened) / 1_000).toFixed(1)} s on`,
      );
    }
  };
  const looking = (async () => {
    while (!stopped) {
      await look();
      await sleep(100);
    }
  })();
  looking.catch(() => {});
  return {
    async stop() {
      stopped = true;
      await looking;
      return [...found, ...[...since.keys()].map((alias) => `${alias} is still offline`)];
    },
  };
}

/** One run with several faults. Each breaks another check. */
const careless: Sabotage = {
  what: 'a gateway acknowledges before the commit, drops everything on SIGTERM and marks its desks as empty; pages reconnect late; a migration holds a lock that sends need',
  mustBreak: ['lost', 'presence', 'back', 'stall'],
  patches: [
    ackBeforeCommit(200),
    {
      file: 'server/src/live/socketServer.ts',
      find: 'class Any { async drain(): Promise<void> { $$$DRAIN } }',
      kind: 'method_definition',
      put: `async drain(): Promise<void> {
        Object.assign(globalThis, { leaving: true });
        const { default: pg } = await import('pg');
        const database = new pg.Client(process.env.DATABASE_URL);
        await database.connect();
        await database.query('delete from presence');
        await new Promise(() => {});
      }`,
    },
  ],
  options: {
    migrations: { 'server/migrations/20991231000003_locks.sql': LOCKS_LONG },
    finishes: false,
    patienceMs: 0,
    speed: 1 / 25,
  },
};

export const scenario: Scenario<Place> = {
  what: 'a rolling upgrade under load',
  ci: 'alone',
  topology,
  prove,
  checks: {
    ...loadChecks,
    back: 'every page is connected and up to date again after its socket was closed',
    exits: 'a process that gets SIGTERM ends with code 0',
    presence: 'no desk appears offline while its handler is connected',
    unready:
      'a gateway with missing migrations reports it and gets no clients; the previous release continues',
    stall: `the migration delays no message by more than ${STALL_MAX_MS / 1_000} s`,
    sides: 'both releases store messages at the same time',
    ends: 'no process ends unexpectedly',
  },
  sabotages: { careless },
};
