/** Runs at most `max` tasks at once. The others wait, first come first served. With 1 it is a queue. */
export class Limiter {
  #free: number;
  readonly #waiting: { start: () => void; since: number }[] = [];

  constructor(max: number) {
    this.#free = max;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else
      await new Promise<void>((start) => {
        this.#waiting.push({ start, since: performance.now() });
      });
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      // The slot passes directly to the next task, so that none can overtake it.
      if (next) next.start();
      else this.#free += 1;
    }
  }

  /** How many milliseconds the oldest task has waited for its start. */
  longestWait(): number {
    const [oldest] = this.#waiting;
    return oldest === undefined ? 0 : performance.now() - oldest.since;
  }
}

/**
 * Never runs its task twice at once. Requests during a run share one more run after it, so every request is followed by
 * a complete run. The task is not stored, which keeps idle owners small.
 */
export class Coalescer<T = void> {
  #running = false;
  #requested = false;
  #result: Promise<T> | undefined;

  isRunning(): boolean {
    return this.#running;
  }

  run(task: () => Promise<T>): Promise<T> {
    this.#requested = true;
    if (!this.#running || this.#result === undefined) this.#result = this.#loop(task);
    return this.#result;
  }

  /** Waits for the current run, if there is one. */
  async settle(): Promise<void> {
    await this.#result;
  }

  // `#running` becomes false in the same turn as the last look at `#requested`: no request gets lost in between.
  async #loop(task: () => Promise<T>): Promise<T> {
    this.#running = true;
    try {
      for (;;) {
        this.#requested = false;
        const result = await task();
        if (!this.#requested) return result;
      }
    } finally {
      this.#running = false;
    }
  }
}

/**
 * Calls `act` for each item, at most `max` at once, and takes the next item only when there is room. After a failure no
 * further call begins; the failure is thrown when the running calls have ended.
 */
export async function forEachConcurrently<T>(
  items: Iterable<T> | AsyncIterable<T>,
  max: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    try {
      while (failures.length === 0) {
        const next = await iterator.next();
        if (next.done === true || failures.length > 0) return;
        await act(next.value);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: max }, work));
  await iterator.return?.();
  if (failures.length > 0) throw failures[0];
}

/** Rejects when the promise takes longer than `ms`. A later result is ignored. */
export async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms).unref();
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
