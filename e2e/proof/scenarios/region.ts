import { causeFaults, describeFaults, type Event, type FaultRecord } from '../faults/causeFaults.ts';
import { listedFaults, planFaults, planLosses } from '../faults/regionFaults.ts';
import { type Findings, loadChecks, type Run, type Scenario, underLoad } from '../scenario.ts';
import { ROOT, unexpectedEnds } from '../topology/installation.ts';
import { type Region, startRegion } from '../topology/region.ts';
import { openDevices } from '../world/devices.ts';
import type { Recorder } from '../world/recorder.ts';
import { createWorld } from '../world/world.ts';

/** The most important kinds, in little time. */
const SMALL =
  "gateway killed,NATS partitioned+worker killed,manual switchover+connections cut,primary killed+NATS node killed,standby killed,primary isolated,primary's disk full";

async function prove(region: Region, run: Run): Promise<Findings> {
  const options = run.options({
    rounds: run.size(1, 5),
    sends: run.size(5_000, 201_000),
    faults: run.kinds?.split(/[,+]/).length ?? run.size(10, 21),
    desks: 16,
    watch: true,
    losses: false,
    thinkMs: run.size(500, 200),
    restMs: 90_000,
  });
  const kinds = run.kinds ?? run.size(SMALL, undefined);
  const random = run.random.fork('plan');
  const plan: Iterator<Event<string>, unknown> = options.losses
    ? planLosses(region)
    : kinds === undefined
      ? planFaults(region, random)
      : listedFaults(region, random, kinds);
  const all: Findings = {};
  for (let number = 1; number <= options.rounds; number += 1) {
    const found = await round(region, run, { ...options, name: `round-${number}`, plan });
    for (const [name, findings] of Object.entries(found)) all[name] = [...(all[name] ?? []), ...findings];
  }
  return all;
}

/** New people write while faults happen. Then everything is read and checked. */
async function round(
  region: Region,
  run: Run,
  options: {
    name: string;
    plan: Iterator<Event<string>, unknown>;
    sends: number;
    faults: number;
    desks: number;
    watch: boolean;
    thinkMs: number;
    restMs: number;
  },
): Promise<Findings> {
  const { gateways, workers } = region;
  const endsBefore = unexpectedEnds([...gateways, ...workers]).length;
  let records: FaultRecord<string>[] = [];
  let seen: Recorder | undefined;
  const findings = await underLoad(run, {
    name: options.name,
    wanted: options,
    thinkMs: options.thinkMs,
    restMs: options.restMs,
    watched: options.watch ? region : undefined,
    async arrive({ random, recorder }) {
      seen = recorder;
      const where = { ...region, build: ROOT, port: region.signInPort, prefix: options.name };
      const desks = await createWorld({ ...where, desks: options.desks, chatsPerDesk: 4 });
      const parts = { ...region, from: region, recorder, random, pipelining: true, retries: 0.1 };
      // The speed is what people experience.
      return [await openDevices(desks, { ...parts, port: region.lines.clients, speed: 1 })];
    },
    async act({ crowds, recorder, history }) {
      records = await causeFaults(options.plan, {
        ...options,
        seconds: 1_500,
        recoverSeconds: 60,
        recoveredShare: run.size(0.9, 1),
        devices: crowds.flatMap(({ devices }) => devices),
        random: run.random.fork(`faults of ${options.name}`),
        recorder,
        history,
        log: run.log,
      });
    },
  });
  if (seen !== undefined) run.report.figure(describeFaults(records, seen.waits, seen.latencies));
  const late = records.filter(({ recoveredMs }) => recoveredMs === null);
  return {
    ...findings,
    recovery: late.map(({ kinds, note }) => `${kinds.join(' + ')}: ${note}`),
    ends: unexpectedEnds([...gateways, ...workers]).slice(endsBefore),
  };
}

export const scenario: Scenario<Region> = {
  what: 'every part of a large installation fails while people write, also two at the same time',
  topology: (run) => {
    const { synchronous } = run.options({ synchronous: true });
    return startRegion({ random: run.random.fork('lines'), synchronous });
  },
  prove,
  checks: {
    ...loadChecks,
    recovery: 'after every fault, the devices send again within a minute',
    ends: 'no gateway or worker ends unexpectedly',
  },
  sabotages: {
    'asynchronous-standby': {
      what: 'the primary does not wait for a standby, and is killed while its standbys lag',
      mustBreak: ['lost'],
      options: {
        ...{ synchronous: false, losses: true, rounds: 1, sends: 2_000, faults: 2 },
        ...{ desks: 4, restMs: 5_000, watch: false },
      },
    },
  },
};
