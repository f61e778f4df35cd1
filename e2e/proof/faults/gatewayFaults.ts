import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineControl } from '../../../tools/engines/engines.ts';
import type { Random } from '../random.ts';
import type { GatewayProcess } from '../topology/gatewayProcess.ts';
import type { Lines } from '../topology/lines.ts';
import type { Event } from './causeFaults.ts';

/** What a fault can break. */
export type Targets = {
  gateways: GatewayProcess[];
  lines: Lines;
  nats: EngineControl;
  postgres: EngineControl;
};

/** Breaks something and repairs it. Returns a note. */
type Fault = (targets: Targets, random: Random) => Promise<string>;

/** Long, because without a held commit the fault proves nothing. */
const COMMIT_WITHIN_MS = 120_000;

export const faults = {
  'gateway killed': async ({ gateways }, random) => {
    const victim = random.pick(gateways);
    await victim.kill();
    await victim.start();
    return victim.name;
  },

  /** PostgreSQL has committed, but the gateway dies before it receives the answer, so nobody gets the ack. */
  'gateway killed between commit and ack': async ({ gateways, lines }, random) => {
    const victim = random.pick(gateways);
    const gateway = gateways.indexOf(victim);
    const heldCommits = (): Promise<number> => lines.ask({ do: 'heldCommits', gateway });
    const deadline = performance.now() + COMMIT_WITHIN_MS;
    let unacked = 0;
    try {
      await lines.ask({ do: 'hold', gateway });
      for (;;) {
        await sleep(30);
        if ((await heldCommits()) > 0) {
          await sleep(random.between(100, 300));
          // None, if the machine stood still and the gateway has dropped the connection.
          unacked = await heldCommits();
        }
        if (unacked > 0 || performance.now() > deadline) break;
        // The answer may be the refusal of a retry. The gateway must receive it before it commits again.
        await lines.ask({ do: 'release', gateway });
        await sleep(3);
        await lines.ask({ do: 'hold', gateway });
      }
      await victim.kill();
      return `${victim.name}, ${unacked} commits unconfirmed`;
    } finally {
      await lines.ask({ do: 'release', gateway });
      await victim.start();
    }
  },

  'gateway stopped': async ({ gateways }, random) => {
    const victim = random.pick(gateways);
    victim.pause();
    try {
      await sleep(random.between(1_000, 3_000));
    } finally {
      victim.resume();
    }
    return victim.name;
  },

  'NATS killed': async ({ nats }, random) => {
    await nats.kill();
    await sleep(random.between(0, 2_000));
    await nats.start();
    return '';
  },

  'NATS stopped': async ({ nats }, random) => {
    nats.pause();
    try {
      await sleep(random.between(1_000, 3_000));
    } finally {
      nats.resume();
    }
    return '';
  },

  'NATS partitioned': async ({ lines }, random) => {
    const how = random.chance(0.5) ? 'late' : 'lost';
    await lines.ask({ do: 'partition', link: 0 });
    await sleep(random.between(2_000, 4_000));
    await lines.ask({ do: 'heal', link: 0, how });
    return `hints ${how}`;
  },

  'PostgreSQL killed': async ({ postgres }) => {
    await postgres.kill();
    await postgres.start();
    return '';
  },

  'PostgreSQL stopped': async ({ postgres }, random) => {
    postgres.pause();
    try {
      await sleep(random.between(1_000, 3_000));
    } finally {
      postgres.resume();
    }
    return '';
  },
} as const satisfies Record<string, Fault>;

export type FaultKind = keyof typeof faults;

/** Every kind equally often, in an order that the seed decides. */
export function* planFaults(
  targets: Targets,
  random: Random,
  kinds: readonly FaultKind[],
): Generator<Event<FaultKind>> {
  for (;;)
    for (const kind of random.shuffled(kinds))
      yield { kinds: [kind], cause: () => faults[kind](targets, random) };
}
