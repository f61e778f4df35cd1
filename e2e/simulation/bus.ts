import type { Bus } from '../../server/src/ports.ts';
import type { Random } from '../proof/random.ts';
import { type Owner, scheduler } from './time.ts';

type Listener = { pattern: string[]; receive: (subject: string, payload: Uint8Array) => void };

type Member = {
  owner: Owner;
  listeners: Set<Listener>;
  gaps: (() => void)[];
  connected: boolean;
  /** When the last hint of each subject arrives: NATS keeps the order of one sender's subject. */
  arrivals: Map<string, number>;
};

export type HintFaults = {
  /** The share of hints that get lost. */
  lost: number;
  /** The longest delay of a hint, in milliseconds. */
  delay: number;
};

/** The bus between the gateways. Hints are late, lost, or in another order than hints of other subjects. */
export class SimulatedBus {
  readonly #members = new Set<Member>();
  readonly #random: Random;
  readonly faults: HintFaults;

  constructor(random: Random, faults: HintFaults) {
    this.#random = random;
    this.faults = faults;
  }

  connect(owner: Owner): Bus {
    const own: Member = { owner, listeners: new Set(), gaps: [], connected: true, arrivals: new Map() };
    this.#members.add(own);
    return {
      subscribe(pattern, receive) {
        const listener = { pattern: pattern.split('.'), receive };
        own.listeners.add(listener);
        return { unsubscribe: () => void own.listeners.delete(listener) };
      },
      publish: (subject, payload) => this.#publish(own, subject, payload.slice()),
      ready: () =>
        new Promise((resolve) => {
          scheduler.after(own.connected ? this.#random.between(0.1, 5) : 0, resolve, owner);
        }),
      onGap: (listener) => void own.gaps.push(listener),
      isConnected: () => own.connected,
      close: async () => void this.#members.delete(own),
    };
  }

  /** Separates a gateway from the bus for some time. */
  separate(owner: Owner, ms: number): void {
    for (const member of this.#members) {
      if (member.owner !== owner || !member.connected) continue;
      member.connected = false;
      scheduler.after(ms, () => this.#reconnect(member), owner);
    }
  }

  heal(): void {
    this.faults.lost = 0;
    for (const member of this.#members) {
      if (!member.connected) scheduler.after(0, () => this.#reconnect(member), member.owner);
    }
  }

  #reconnect(member: Member): void {
    if (member.connected) return;
    member.connected = true;
    for (const listener of member.gaps) listener();
  }

  #publish(from: Member, subject: string, payload: Uint8Array): void {
    if (!from.connected) return;
    const parts = subject.split('.');
    for (const to of this.#members) {
      if (to === from || to.owner.dead || !to.connected || this.#random.chance(this.faults.lost)) continue;
      const key = `${from.owner.name} ${subject}`;
      const at = Math.max(
        to.arrivals.get(key) ?? 0,
        scheduler.now + this.#random.between(0.1, this.faults.delay),
      );
      to.arrivals.set(key, at);
      const arrive = (): void => {
        if (!to.connected) return;
        for (const { pattern, receive } of [...to.listeners]) {
          if (matches(pattern, parts)) receive(subject, payload);
        }
      };
      scheduler.after(at - scheduler.now, arrive, to.owner);
    }
  }
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  return parts.length === pattern.length && pattern.every((part, at) => part === '*' || part === parts[at]);
}
