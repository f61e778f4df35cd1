import { setTimeout as sleep } from 'node:timers/promises';
import { signal, waitUntil } from '../../../tools/engines/process.ts';
import type { Random } from '../random.ts';
import type { Node } from '../topology/patroni.ts';
import type { Region } from '../topology/region.ts';
import type { Event } from './causeFaults.ts';

/** Breaks something and repairs it. Returns a note. */
type Fault = (region: Region, random: Random) => Promise<string>;

/** Patroni needs up to 25 s for a new primary. */
const NEW_PRIMARY_WITHIN_SECONDS = 45;
/** Until there is a standby that can take over. */
const SWITCHED_WITHIN_SECONDS = 180;
const VICTIM_WITHIN_MS = 240_000;
/** The share of events with two faults at the same time. */
const PAIRS = 1 / 3;
/** A killed process returns while the other fault of a pair may keep the database away. */
const STARTS_AGAIN_WITHIN_MS = 240_000;
/** The second fault of a pair begins this much later, at most. */
const PAIR_DELAY_MS = 5_000;
/** Average bytes until a cut. The database's connections carry those of many clients. */
const CUT_CLIENTS_AFTER = 3_000;
const CUT_DATABASE_AFTER = 30_000;
const NO_CUTS = Number.POSITIVE_INFINITY;

export const faults = {
  'gateway killed': ({ gateways }, random) =>
    onVictim(
      () => random.pick(gateways),
      async (victim) => {
        await victim.kill();
        await sleep(random.between(0, 2_000));
        await victim.startUntilReady(STARTS_AGAIN_WITHIN_MS);
        return victim.name;
      },
    ),

  'gateway stopped': ({ gateways }, random) =>
    onVictim(
      () => random.pick(gateways),
      async (victim) => {
        // Its lease ends after 15 s.
        const ms = random.chance(0.3) ? random.between(16_000, 20_000) : random.between(1_000, 4_000);
        victim.pause();
        try {
          await sleep(ms);
        } finally {
          victim.resume();
        }
        return `${victim.name} for ${seconds(ms)}`;
      },
    ),

  'primary killed': (region, random) =>
    onVictim(
      () => region.databases.leader(),
      async (victim) => {
        await victim.machine.kill();
        // A power cut that is shorter than the lease of the leader, or a new primary.
        const note = random.chance(0.2)
          ? await sleep(random.between(1_000, 4_000), 'back before the others noticed')
          : await newPrimary(region, victim);
        region.databases.start(victim);
        return note;
      },
    ),

  'primary stopped': (region, random) =>
    onVictim(
      () => region.databases.leader(),
      async (victim) => {
        victim.machine.pause();
        try {
          if (random.chance(0.2)) return await sleep(random.between(3_000, 8_000), 'short');
          const note = await newPrimary(region, victim);
          await sleep(random.between(0, 2_000));
          return note;
        } finally {
          victim.machine.resume();
        }
      },
    ),

  'primary cut off from etcd': (region, random) => cutOff(region, random, [region.etcdLinks]),

  /** What it commits exists only there, and only the gateways can still reach it. */
  'primary isolated': (region, random) => cutOff(region, random, [region.etcdLinks, region.peerLinks]),

  'standby killed': (region, random) =>
    onVictim(
      async () => {
        const leader = await region.databases.leader();
        return leader && random.pick(region.databases.nodes.filter((node) => node !== leader));
      },
      async (victim) => {
        const role = (await region.databases.members()).find(({ name }) => name === victim.name)?.role;
        await victim.machine.kill();
        await sleep(random.between(1_000, 5_000));
        region.databases.start(victim);
        return role ?? '';
      },
    ),

  'manual switchover': (region) =>
    onVictim(
      () => region.databases.leader(),
      async (victim) => {
        let answer = '';
        const accepted = await waitUntil(async () => {
          answer = await region.databases.switchOver(victim);
          // During another fault there may be no standby that could take over, or the primary changed already.
          return answer.startsWith('Successfully') || (await region.databases.leader()) !== victim;
        }, SWITCHED_WITHIN_SECONDS);
        if (!accepted) throw new Error(`no switchover: ${answer}`);
        return '';
      },
    ),

  'NATS node killed': ({ nats }, random) =>
    onVictim(
      () => random.pick(nats),
      async ({ machine }) => {
        await machine.kill();
        await sleep(random.between(500, 4_000));
        machine.start();
        return machine.name;
      },
    ),

  'NATS partitioned': ({ nats, natsLinks, lines }, random) =>
    onVictim(
      async () => {
        const clients = await Promise.all(nats.map((node) => node.countClients()));
        const used = nats.filter((_, index) => (clients[index] ?? 0) > 0);
        return used.length === 0 ? undefined : random.pick(used);
      },
      async (victim) => {
        const links = natsLinks[nats.indexOf(victim)] ?? [];
        const how = random.chance(0.5) ? 'late' : 'lost';
        for (const link of links) await lines.ask({ do: 'partition', link });
        await sleep(random.between(3_000, 7_000));
        for (const link of links) await lines.ask({ do: 'heal', link, how });
        return `${victim.machine.name}, hints ${how}`;
      },
    ),

  'connections cut': async ({ lines }, random) => {
    const before = await lines.ask({ do: 'cuts' });
    await lines.ask({ do: 'cutClients', after: CUT_CLIENTS_AFTER });
    await lines.ask({ do: 'cutDatabase', after: CUT_DATABASE_AFTER });
    await sleep(random.between(2_000, 5_000));
    await lines.ask({ do: 'cutClients', after: NO_CUTS });
    await lines.ask({ do: 'cutDatabase', after: NO_CUTS });
    return `${(await lines.ask({ do: 'cuts' })) - before} cuts`;
  },

  'worker killed': ({ workers }, random) =>
    onVictim(
      () => random.pick(workers),
      async (victim) => {
        await victim.kill();
        await sleep(random.between(0, 3_000));
        await victim.startUntilReady(STARTS_AGAIN_WITHIN_MS);
        return victim.name;
      },
    ),

  "primary's disk full": (region, random) =>
    onVictim(
      () => region.databases.leader(),
      async (victim) => {
        const left = victim.disk.fill();
        try {
          await sleep(random.between(6_000, 12_000));
        } finally {
          victim.disk.free();
        }
        return `${victim.name}, ${left} bytes left`;
      },
    ),

  'S3 unavailable': async ({ s3 }, random) => {
    await s3.kill();
    await sleep(random.between(1_000, 5_000));
    await s3.start();
    return '';
  },
} as const satisfies Record<string, Fault>;

export type FaultKind = keyof typeof faults;

/** The broken parts. Two faults at the same time never break the same one. */
const broken = new Set<object>();

async function onVictim<Part extends object>(
  find: () => Part | undefined | Promise<Part | undefined>,
  harm: (victim: Part) => Promise<string>,
): Promise<string> {
  const deadline = performance.now() + VICTIM_WITHIN_MS;
  for (;;) {
    const victim = await find();
    if (victim !== undefined && !broken.has(victim)) {
      broken.add(victim);
      try {
        return await harm(victim);
      } finally {
        broken.delete(victim);
      }
    }
    if (performance.now() > deadline) throw new Error('there is nothing that this fault can break');
    await sleep(200);
  }
}

/** Separates the primary from what these links connect it with. */
function cutOff(region: Region, random: Random, kinds: number[][]): Promise<string> {
  const { databases, lines } = region;
  return onVictim(
    () => databases.leader(),
    async (victim) => {
      const links = kinds.map((links) => links[databases.nodes.indexOf(victim)] ?? 0);
      for (const link of links) await lines.ask({ do: 'partition', link });
      try {
        return await newPrimary(region, victim);
      } finally {
        const how = random.chance(0.5) ? 'late' : 'lost';
        for (const link of links) await lines.ask({ do: 'heal', link, how });
      }
    },
  );
}

/** Waits until another node is the primary. */
async function newPrimary({ databases }: Region, old: Node): Promise<string> {
  const began = performance.now();
  const found = await waitUntil(
    async () => (await databases.leader(old)) !== undefined,
    NEW_PRIMARY_WITHIN_SECONDS,
  );
  return found ? `new primary after ${seconds(performance.now() - began)}` : 'no new primary';
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** Every kind equally often, in an order that the seed decides. Some of them at the same time. */
export function* planFaults(region: Region, random: Random): Generator<Event<FaultKind>> {
  const all = shuffledForever(random);
  for (;;) {
    const [first, second] = [all.next().value, random.chance(PAIRS) ? all.next().value : undefined];
    if (second === undefined) yield eventOf(region, random, [first]);
    // The end of one round and the start of the next may be the same kind.
    else if (first === second) yield* [eventOf(region, random, [first]), eventOf(region, random, [second])];
    else yield eventOf(region, random, [first, second]);
  }
}

function* shuffledForever(random: Random): Generator<FaultKind, never> {
  for (;;) yield* random.shuffled(Object.keys(faults) as FaultKind[]);
}

/** Causes the faults, and waits until the region is healthy. */
function eventOf(region: Region, random: Random, kinds: readonly FaultKind[]): Event<FaultKind> {
  return {
    kinds,
    async cause() {
      const notes = await Promise.all(
        kinds.map(async (kind, index) => {
          if (index > 0) await sleep(random.between(0, PAIR_DELAY_MS));
          return faults[kind](region, random);
        }),
      );
      const repaired = performance.now();
      await region.databases.waitUntilHealthy();
      const healthy = `healthy after ${seconds(performance.now() - repaired)}`;
      return [...notes, healthy].filter(Boolean).join(', ');
    },
  };
}

/** The listed kinds, separated by commas; + joins two that happen at the same time. */
export function* listedFaults(region: Region, random: Random, kinds: string): Generator<Event<FaultKind>> {
  for (const event of kinds.split(',')) yield eventOf(region, random, event.split('+') as FaultKind[]);
}

const LAG_MS = 2_000;

/** Kills primaries whose standbys lag. Without a synchronous standby, acknowledged messages are lost. */
export function* planLosses(region: Region): Generator<Event<string>> {
  for (;;) yield { kinds: ['primary killed, standbys lag'], cause: () => killAhead(region) };
}

async function killAhead(region: Region): Promise<string> {
  const { databases } = region;
  const victim = await databases.leader();
  if (victim === undefined) throw new Error('there is no primary');
  // They send the standbys what the primary wrote.
  for (const { pid, command } of victim.machine.processes())
    if (command.includes('walsender')) signal(pid, 'SIGSTOP');
  await sleep(LAG_MS);
  await victim.machine.kill();
  const note = await newPrimary(region, victim);
  databases.start(victim);
  await databases.waitUntilHealthy();
  return note;
}
