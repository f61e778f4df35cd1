import { Random } from '../proof/random.ts';

/** What people do. The number is how often, compared with the others, if a seed includes it. */
const ACTIONS = {
  write: 30,
  reply: 24,
  image: 6,
  replyImage: 4,
  retryImage: 2,
  cancelImage: 1,
  look: 12,
  type: 3,
  show: 8,
  closePage: 6,
  openPage: 8,
  openTab: 2,
  wake: 2,
  retry: 4,
  flushOutbox: 4,
  close: 3,
  reopen: 2,
  block: 2,
  handOver: 4,
  markUnread: 2,
  snooze: 2,
  removeDevice: 1,
  erase: 0.5,
  signOut: 1.5,
  signIn: 3,
  moveDesk: 1,
  mute: 0.5,
  away: 1,
} as const;

/** What breaks. */
const FAULTS = {
  cut: 8,
  stall: 2,
  killGateway: 3,
  stopGateway: 2,
  separate: 2,
  databaseOutage: 2,
  oddGateway: 1,
  killWorker: 1,
} as const;

export type StepKind = keyof typeof ACTIONS | keyof typeof FAULTS;
const KINDS = { ...ACTIONS, ...FAULTS };

/** `who` and `what` choose among those that exist when the step runs. So a step keeps its meaning without the others. */
export type Step = { at: number; kind: StepKind; who: number; what: number };

/** Faults that last for the whole run. Each can be switched off. */
export type Rates = {
  /** The longest delay of a frame or call in milliseconds. */
  frameDelay: number;
  hintDelay: number;
  hintsLost: number;
  databaseDelay: number;
  /** The share of calls to the database that fail before, or after, their effect. */
  databaseBefore: number;
  databaseAfter: number;
  /** The share of HTTP calls of pages that get no answer. */
  callsLost: number;
  /** The share of requests to the store of media, and of transfers to it, that fail. */
  mediaLost: number;
  /** The longest time that the outbox of a visitor's browser takes to read or write. */
  diskDelay: number;
};

export const CALM: Rates = {
  frameDelay: 20,
  hintDelay: 3,
  hintsLost: 0,
  databaseDelay: 3,
  databaseBefore: 0,
  databaseAfter: 0,
  callsLost: 0,
  mediaLost: 0,
  diskDelay: 8,
};

export type Plan = {
  seed: number;
  gateways: number;
  desks: number;
  conversations: number;
  /** Every visitor has two devices. */
  secondDevices: boolean;
  /** Handlers at each desk. */
  handlers: number;
  /** The first handler of the first desk answers at the other one too. */
  severalDesks: boolean;
  /** Waits for presence at the end, which takes a minute. */
  long: boolean;
  /** The gateways are of the previous release until they stop for the upgrade. */
  previous: boolean;
  /** Messages of a visitor in a burst. */
  sendBurst: number;
  /** The share of browsers with notifications. */
  notified: number;
  rates: Rates;
  steps: Step[];
};

/** Every seed includes other actions and faults, so that rare combinations occur. */
export function drawPlan(seed: number): Plan {
  const random = new Random(seed, `plan ${seed}`);
  const weights = Object.entries(KINDS).flatMap(([kind, weight]) =>
    random.chance(0.6) || kind === 'write'
      ? [{ kind: kind as StepKind, weight: weight * random.between(0.3, 2) }]
      : [],
  );
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  const pickKind = (): StepKind => {
    let left = random.between(0, total);
    for (const { kind, weight } of weights) {
      left -= weight;
      if (left <= 0) return kind;
    }
    return 'write';
  };
  const maybe = (probability: number, low: number, high: number, otherwise: number): number =>
    random.chance(probability) ? random.between(low, high) : otherwise;
  const pace = random.pick([5, 20, 60, 150, 400]);
  let at = 1_500;
  const steps = Array.from({ length: random.whole(30, 160) }, (): Step => {
    at += random.until(pace);
    return { at: Math.round(at), kind: pickKind(), who: random.whole(0, 1e6), what: random.whole(0, 1e6) };
  });
  return {
    seed,
    gateways: random.chance(0.7) ? 2 : 1,
    desks: random.chance(0.6) ? 2 : 1,
    conversations: random.whole(1, 3),
    secondDevices: random.chance(0.5),
    handlers: random.chance(0.4) ? 2 : 1,
    // A draw of its own: another one of `random` would give every seed another meaning.
    severalDesks: new Random(seed, `desks ${seed}`).chance(0.4),
    long: random.chance(0.2),
    previous: random.chance(0.2),
    sendBurst: random.chance(0.3) ? 10 : 60,
    notified: random.chance(0.4) ? random.between(0.2, 1) : 0,
    rates: {
      frameDelay: maybe(0.4, 50, 3_000, CALM.frameDelay),
      hintDelay: maybe(0.4, 10, 4_000, CALM.hintDelay),
      hintsLost: maybe(0.4, 0.05, 0.9, 0),
      databaseDelay: maybe(0.4, 10, random.pick([60, 150, 800]), CALM.databaseDelay),
      databaseBefore: maybe(0.25, 0.01, 0.15, 0),
      databaseAfter: maybe(0.25, 0.01, 0.15, 0),
      callsLost: maybe(0.3, 0.05, 0.4, 0),
      mediaLost: maybe(0.3, 0.05, 0.5, 0),
      diskDelay: maybe(0.2, 50, 1_000, CALM.diskDelay),
    },
    steps,
  };
}

/**
 * Seeds that found a fault of the product. They always run first. A change of the plans gives a seed another meaning;
 * the faults themselves are also in `planted.ts` or in unit tests.
 */
export const knownSeeds: readonly number[] = [
  41, 138, 471, 868, 1_154, 7_375, 358_664_919, 358_672_769, 358_674_718, 385_416_418, 385_452_955,
  385_518_044, 418_668_566, 418_687_419, 418_703_717, 418_705_941, 466_809_524, 466_819_603, 466_833_622,
];
