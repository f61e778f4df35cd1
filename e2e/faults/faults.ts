import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineControl } from '../../bin/engines/engines.ts';
import type { DatabaseLine } from './databaseLine.ts';
import type { GatewayProcess } from './gatewayProcess.ts';
import type { NatsLine } from './natsLine.ts';
import type { Random } from './random.ts';

/** All that a fault may lay hands on. */
export type Targets = {
  gateways: { process: GatewayProcess; database: DatabaseLine }[];
  nats: EngineControl;
  natsLine: NatsLine;
  postgres: EngineControl;
};

/** Breaks something, mends it, and says what is worth a note. */
type Fault = (targets: Targets, random: Random) => Promise<string>;

const COMMIT_WITHIN_MS = 3_000;

export const faults = {
  'gateway killed': async ({ gateways }, random) => {
    const { process } = random.pick(gateways);
    await process.kill();
    await process.start();
    return process.name;
  },

  /** PostgreSQL has committed and said so; the gateway dies before it hears, so nobody ever gets that ack. */
  'gateway killed between commit and ack': async ({ gateways }, random) => {
    const { process, database } = random.pick(gateways);
    try {
      const deadline = performance.now() + COMMIT_WITHIN_MS;
      for (database.hold(); database.heldCommits() === 0 && performance.now() < deadline; database.hold()) {
        await sleep(30);
        // What is held may be a refusal of a repeat: the gateway must hear it before it commits again.
        if (database.heldCommits() === 0) database.release();
        await sleep(3);
      }
      await sleep(random.between(100, 300));
      const unheard = database.heldCommits();
      await process.kill();
      return `${process.name}, ${unheard} commits unheard`;
    } finally {
      database.release();
      await process.start();
    }
  },

  'gateway stopped': async ({ gateways }, random) => {
    const { process } = random.pick(gateways);
    process.pause();
    try {
      await sleep(random.between(1_000, 3_000));
    } finally {
      process.resume();
    }
    return process.name;
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

  'NATS partitioned': async ({ natsLine }, random) => {
    const how = random.chance(0.5) ? 'late' : 'lost';
    natsLine.partition();
    await sleep(random.between(2_000, 4_000));
    natsLine.heal(how);
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

/** Every kind as often as every other, in an order that only the seed knows. */
export function* planFaults(random: Random, kinds: readonly FaultKind[]): Generator<FaultKind> {
  for (;;) yield* random.shuffled(kinds);
}
