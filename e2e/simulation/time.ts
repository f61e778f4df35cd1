/** Something whose code runs here: a gateway or a page. Nothing of a dead one runs any more. */
export type Owner = { readonly name: string; dead: boolean };

type Event = { at: number; owner: Owner; run: (() => void) | undefined };

/** Of the simulation itself: it never dies. */
export const simulation: Owner = { name: 'simulation', dead: false };

/** 2026-01-01, so that times in traces are easy to read. */
export const START = Date.UTC(2026, 0, 1);

/** A hundred times as many as a seed has. They end a seed that hangs, on any machine at the same event. */
const MOST_EVENTS = 1_000_000;

const realImmediate = globalThis.setImmediate;

/** Runs all microtasks and ticks of the current event. A turn of Node's loop would do the same, but takes longer. */
const settle = (process as unknown as { _tickCallback(): void })._tickCallback.bind(process);

/**
 * One queue of events on one virtual clock. An event runs with all its microtasks before the next one starts. Whatever
 * it schedules belongs to its owner.
 */
class Scheduler {
  #now = START;
  #owner = simulation;
  /** The next one is the last. */
  #waiting: Event[] = [];
  #events = 0;
  /** An error that nobody handled. */
  onError: (error: unknown) => void = () => {};

  reset(): void {
    this.#now = START;
    this.#owner = simulation;
    this.#waiting = [];
    this.#events = 0;
  }

  get now(): number {
    return this.#now;
  }

  /** Whose code runs now. */
  get owner(): Owner {
    return this.#owner;
  }

  get events(): number {
    return this.#events;
  }

  /** Runs `run` after `ms`. Returns a function that cancels it. */
  after(ms: number, run: () => void, owner = this.#owner): () => void {
    const event: Event = { at: this.#now + Math.max(0, ms), owner, run };
    this.#insert(event);
    return () => {
      event.run = undefined;
    };
  }

  /** Calls code of another owner within this event, with its microtasks. */
  as<T>(owner: Owner, run: () => T): T {
    const before = this.#owner;
    this.#owner = owner;
    try {
      const result = run();
      settle();
      return result;
    } finally {
      this.#owner = before;
    }
  }

  /** Runs `run` as an event of its own, now. */
  perform(run: () => void): Promise<void> {
    this.after(0, run, simulation);
    return this.runUntil(this.#now);
  }

  /** Runs all events up to this time. */
  runUntil(time: number): Promise<void> {
    // Not within a microtask, which would keep the others waiting.
    return new Promise((resolve) =>
      realImmediate(() => {
        this.#runUntil(time);
        resolve();
      }),
    );
  }

  #runUntil(time: number): void {
    for (
      let next = this.#waiting.at(-1);
      next !== undefined && next.at <= time;
      next = this.#waiting.at(-1)
    ) {
      this.#waiting.pop();
      const { run, owner } = next;
      if (run === undefined || owner.dead) continue;
      this.#now = Math.max(this.#now, next.at);
      this.#owner = owner;
      this.#events += 1;
      if (this.#events > MOST_EVENTS) {
        this.onError(new Error('the events have no end'));
        this.#waiting = [];
        return;
      }
      try {
        run();
      } catch (error) {
        this.onError(error);
      }
      settle();
      this.#owner = simulation;
    }
    this.#now = Math.max(this.#now, time);
  }

  /** Before all that come earlier. Few events wait at a time. */
  #insert(event: Event): void {
    let low = 0;
    let high = this.#waiting.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#waiting[middle] as Event).at > event.at) low = middle + 1;
      else high = middle;
    }
    this.#waiting.splice(low, 0, event);
  }
}

export const scheduler = new Scheduler();

/** The clocks of the server and of the pages. */
export const virtualClock = {
  now: (): number => Math.floor(scheduler.now),
  after: (ms: number, run: () => void): (() => void) => scheduler.after(ms, run),
  setTimeout: (run: () => void, ms: number): unknown => scheduler.after(ms, run),
  clearTimeout: (timer: unknown): void => (timer as (() => void) | undefined)?.(),
};

/** What setTimeout of Node returns, as far as the product uses it. */
class Timer {
  cancel: () => void = () => {};
  unref(): this {
    return this;
  }
}

/**
 * Replaces the global clocks and random numbers. Call it before the product is imported: some of its modules keep a
 * reference.
 */
export function installTime(random: () => number): void {
  const RealDate = globalThis.Date;
  globalThis.Date = class extends RealDate {
    constructor(...parts: [] | [number]) {
      if (parts.length === 0) super(virtualClock.now());
      else super(...parts);
    }
    static override now(): number {
      return virtualClock.now();
    }
  } as DateConstructor;
  Object.defineProperty(performance, 'now', { value: () => scheduler.now - START });
  const start = (run: (...values: unknown[]) => void, ms = 0, ...values: unknown[]): Timer => {
    const timer = new Timer();
    timer.cancel = scheduler.after(ms, () => run(...values));
    return timer;
  };
  const repeat = (run: () => void, ms: number): Timer => {
    const timer = new Timer();
    const again = (): void => {
      timer.cancel = scheduler.after(ms, () => {
        again();
        run();
      });
    };
    again();
    return timer;
  };
  const clear = (timer: Timer | undefined): void => timer?.cancel();
  Object.assign(globalThis, {
    setTimeout: start,
    setInterval: repeat,
    // Not of the owner: gateways of one process share the list of what they write at the end of a turn.
    setImmediate: (run: () => void) => scheduler.after(0, run, simulation),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: (cancel: () => void) => cancel(),
  });
  Math.random = random;
  Object.defineProperty(globalThis.crypto, 'getRandomValues', {
    value: (bytes: Uint8Array) => fill(bytes, random),
  });
}

function fill(bytes: Uint8Array, random: () => number): Uint8Array {
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = random() * 256;
  return bytes;
}
