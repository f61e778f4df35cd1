import { freePorts } from '../../../tools/freePorts.ts';
import { causeFaults, describeFaults, type FaultRecord } from '../faults/causeFaults.ts';
import { type FaultKind, faults, planFaults, type Targets } from '../faults/gatewayFaults.ts';
import { loadChecks, type Run, type Sabotage, type Scenario, underLoad } from '../scenario.ts';
import { HOUR_MS } from '../topology/gatewayProcess.ts';
import {
  createDatabase,
  gatewayName,
  settingsOf,
  startAll,
  startStores,
  unexpectedEnds,
} from '../topology/installation.ts';
import { type Lines, startLines } from '../topology/lines.ts';
import type { WatchedStage } from '../watch/scene.ts';
import { startPushReceiver } from '../watch/watchers.ts';
import { openDevices } from '../world/devices.ts';
import type { Device, Recorder } from '../world/recorder.ts';
import { PATIENCE_MS, Stalls, until } from '../world/time.ts';
import { createWorld } from '../world/world.ts';
import { ackBeforeCommit } from './ackBeforeCommit.ts';
import { lookUpBeforeLock } from './lookUpBeforeLock.ts';

const ORIGIN = 'http://faults.test';
const DELAY_MAX_MS = 30;
/** A busy device loses its connection a few times a minute. */
const CUT_AFTER_BYTES = 120_000;
/** The product waits up to half a minute before it reconnects, too long for this run. */
const CLOCK_SPEED = 5;

/** The others lost their connection for another reason: the network cuts some every second. */
const MOST = 0.9;
const DARK_WITHIN_MS = 5_000;

/** Two gateways, their engines, and the network between them, which can fail. */
type Place = WatchedStage & { targets: Targets; lines: Lines; close(): Promise<void> };

async function topology(run: Run): Promise<Place> {
  const { postgresUrl, natsUrl, postgres, nats } = await startStores(run.instance);
  const database = await createDatabase(postgresUrl, { sql: run.sabotage?.sql ?? '' });
  const nameless = new URL(natsUrl);
  const gatewayPorts = await freePorts(2);
  const lines = await startLines({
    seed: run.random.fork('client lines').whole(0, 2 ** 31),
    gatewayPorts,
    delayMaxMs: DELAY_MAX_MS,
    databasePort: Number(new URL(database.url).port),
    links: [[Number(nameless.port)]],
  });
  await lines.ask({ do: 'cutClients', after: CUT_AFTER_BYTES });
  nameless.port = String(lines.links[0]);
  const receiver = await startPushReceiver();
  const env = {
    ...settingsOf(run.instance, { origin: ORIGIN }),
    ...receiver.env,
    DATABASE_URL: database.url,
    NATS_URL: nameless.href,
    SWEEP_SECONDS: '1',
  };
  const gateways = await startAll(
    gatewayPorts.map((port, at) => {
      const databaseUrl = new URL(database.url);
      databaseUrl.port = String(lines.databases[at]);
      return {
        name: gatewayName(at),
        port,
        build: run.build,
        env: { ...env, DATABASE_URL: databaseUrl.href },
        aheadMs: at * HOUR_MS,
      };
    }),
  );
  return {
    targets: { gateways, lines, nats, postgres },
    lines,
    gatewayPorts,
    signInPort: gatewayPorts[1] ?? 0,
    origin: ORIGIN,
    env,
    database,
    databaseUrl: database.url,
    push: receiver.push,
    async close() {
      await Promise.all(gateways.map((gateway) => gateway.kill()));
      await lines.close();
      await receiver.push.stop();
      await database.drop();
    },
  };
}

async function prove(place: Place, run: Run): Promise<Record<string, string[]>> {
  const { targets, lines } = place;
  const kinds = (run.kinds?.split(',') ?? Object.keys(faults)) as FaultKind[];
  const options = run.options({
    desks: run.size(6, 15),
    sends: run.size(2_000, 100_000),
    faults: run.size(kinds.length, 40),
    kinds,
    /** Faults need their time, however few messages are written meanwhile. Sabotages show in a busy crowd. */
    thinkMs: run.size(run.sabotage === undefined ? 1_200 : 400, 220),
    /** The share of messages that devices send again when not needed. */
    retries: 1,
    watch: true,
    finalMessages: true,
    /** The time limit of the load. */
    seconds: 1_200,
    recoverSeconds: run.size(60, 15),
    restMs: run.size(PATIENCE_MS, 60_000),
  });
  const sends = Math.ceil(options.sends * run.part);
  const count = run.part < 1 ? Math.min(1, options.faults) : options.faults;
  let records: FaultRecord<FaultKind>[] = [];
  let dark: string[] = [];
  let waits: Recorder | undefined;
  const findings = await underLoad(run, {
    wanted: { sends, faults: count },
    thinkMs: options.thinkMs,
    restMs: options.restMs,
    watched: options.watch ? place : undefined,
    async arrive({ random, recorder }) {
      const where = { ...place, build: run.build, port: place.signInPort };
      const desks = await createWorld({ ...where, desks: options.desks, chatsPerDesk: 4 });
      const from = { databaseUrl: place.databaseUrl, gatewayPorts: place.gatewayPorts };
      const parts = { ...place, ...options, from, port: lines.clients, recorder, random, pipelining: true };
      return [await openDevices(desks, { ...parts, speed: CLOCK_SPEED })];
    },
    async act({ crowds, recorder, history }) {
      const random = run.random.fork('faults');
      waits = recorder;
      records = await causeFaults(planFaults(targets, random, options.kinds), {
        ...options,
        sends,
        faults: count,
        recoveredShare: MOST,
        devices: crowds.flatMap(({ devices }) => devices),
        random,
        recorder,
        history,
        log: run.log,
      });
      run.log(`${await lines.ask({ do: 'cuts' })} connections cut`);
      await lines.ask({ do: 'cutClients', after: Number.POSITIVE_INFINITY });
    },
    async afterRest(crowds, recorder) {
      if (!options.finalMessages) return;
      const devices = crowds.flatMap((crowd) => crowd.devices);
      dark = await finalMessages(place, devices, recorder, run);
    },
  });
  if (waits !== undefined) run.report.figure(describeFaults(records, waits.waits, waits.latencies));
  const held = records.filter(({ kinds }) => kinds.includes('gateway killed between commit and ack'));
  return {
    ...findings,
    dark,
    gateways: unexpectedEnds(targets.gateways),
    unacked:
      held.length > 0 && held.every(({ note }) => note.includes(' 0 commits'))
        ? ['no commit was held back in any of these faults']
        : [],
  };
}

/** Sends the last messages without NATS. No later message shows that one is missing, so only the sweep can deliver them. */
async function finalMessages(
  { targets: { nats } }: Place,
  devices: Device[],
  recorder: Recorder,
  run: Run,
): Promise<string[]> {
  const stalls = new Stalls();
  await nats.kill();
  try {
    const written = (): Promise<boolean> => until(() => devices.every((device) => device.unacked() === 0));
    for (const device of devices) device.write();
    if (!(await written())) return ['not every message was acknowledged'];
    // One more from one device of each conversation, because an own ack would show the others what they miss.
    for (const device of new Map(devices.map((each) => [each.conversation, each])).values()) device.write();
    if (!(await written())) return ['not every message was acknowledged'];
    const acked = performance.now();
    const missing = (): Device[] =>
      devices.filter((device) => device.lastSeq() < recorder.head(device.conversation));
    const all = await until(() => missing().length === 0, run.timed ? 30_000 : PATIENCE_MS);
    const tookMs = Math.round(stalls.without(acked, performance.now()));
    run.report.figure(`without NATS, from the last ack to the last receipt: ${tookMs} ms`);
    const late = all && run.timed && tookMs > DARK_WITHIN_MS ? [`${tookMs} ms`] : [];
    const findings = [...missing().map((device) => device.describe()), ...late];
    // Waits for the retries of these messages before the reading.
    await until(() => devices.every((device) => device.isIdle()), 10_000);
    return findings;
  } finally {
    await nats.start();
  }
}

const quick = { desks: 3, seconds: 90, recoverSeconds: 5, restMs: 3_000, watch: false, finalMessages: false };

const sabotages: Record<string, Sabotage> = {
  'ack-before-commit': {
    what: 'the gateway acknowledges before PostgreSQL has confirmed the commit',
    mustBreak: ['lost'],
    ci: true,
    patches: [ackBeforeCommit(50)],
    // A retry would store again what was lost.
    options: {
      ...{ ...quick, sends: 1_500, faults: 4, retries: 0 },
      kinds: ['PostgreSQL killed', 'gateway killed'],
    },
  },
  'no-unique-key': {
    what: 'a repeated id is stored again',
    mustBreak: ['duplicates'],
    ci: true,
    // The appender looks up a repeated id only when the key is violated.
    sql: 'alter table messages drop constraint messages_once',
    options: { ...quick, sends: 800, faults: 0 },
  },
  'no-gap-fill': {
    what: 'a gateway neither fills gaps nor sweeps for missed messages',
    mustBreak: ['devices'],
    ci: true,
    patches: [
      {
        file: 'server/src/live/room.ts',
        find: 'if ($IS_NEXT) $DELIVER; else $FILL_GAP;',
        within: 'receive',
        put: '$DELIVER;',
      },
      { file: 'server/src/live/rooms.ts', find: 'if ($OLD.head < $NEW.head) $ROOM.catchUp();', put: '' },
      { file: 'server/src/live/sweep.ts', find: 'if ($OLD.head < $HEAD) $ROOM.catchUp();', put: '' },
    ],
    options: {
      ...{ ...quick, sends: 800, faults: 2, finalMessages: true },
      kinds: ['NATS killed', 'NATS partitioned'],
    },
  },
  'look-up-before-lock': {
    what: 'repeats are looked up in a snapshot from before the lock, and a repeat that was missed is skipped',
    mustBreak: ['heads'],
    sql: lookUpBeforeLock,
    options: { ...quick, sends: 1_200, faults: 2, kinds: ['gateway stopped'] },
  },
  'unread-kept': {
    what: 'a seen mark does not reset the unread count',
    mustBreak: ['unread'],
    sql: `
      create function keep_unread() returns trigger language plpgsql as $$
      begin
        new.unread := old.unread;
        return new;
      end $$;
      create trigger keep_unread before update on conversations for each row
      when (new.unread < old.unread) execute function keep_unread()`,
    options: { ...quick, sends: 2_400, faults: 0, retries: 0 },
  },
  'sockets-kept': {
    what: 'a gateway does not close the sockets of a session that was signed out',
    mustBreak: ['revocation'],
    patches: [
      { file: 'server/src/live/sweep.ts', find: "$CONNECTION.closeForGood('signed_out');", put: '{}' },
    ],
    options: { ...quick, sends: 800, faults: 0, retries: 0, watch: true },
  },
};

export const scenario: Scenario<Place> = {
  what: 'processes and networks fail while people write',
  ci: 'beside',
  topology,
  prove,
  checks: {
    ...loadChecks,
    dark: 'without NATS, every connected device gets everything',
    gateways: 'no gateway ends unexpectedly',
    unacked: 'a gateway was killed with unconfirmed commits',
  },
  sabotages,
};
