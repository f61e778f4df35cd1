import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, isRetryable } from '@settee/protocol/model/errorCodes';
import type { PushService } from '../../../server/test/push/pushService.ts';
import type { HistoryWriter } from '../checks/history.ts';
import { AT_ALL, PROMISED } from '../checks/watched.ts';
import type { Random } from '../random.ts';
import { type Database, query } from '../topology/installation.ts';
import { type Browser, Refused } from '../world/world.ts';

/** What the watchers need to know about the installation. */
export type WatchedStage = {
  /** PostgreSQL, without a proxy that fails. After a failover it must lead to the new primary. */
  databaseUrl: string;
  database: Database;
  /** All gateways, without a proxy that fails. */
  gatewayPorts: number[];
  /** The gateway to sign in at: if clocks differ, the one with the fastest, so that its tokens are valid at all. */
  signInPort: number;
  /** PUBLIC_URL. */
  origin: string;
  /** The environment of a gateway: secret, media store and so on. */
  env: Record<string, string>;
  /** The push service that the gateways use; see startPushReceiver. Without it, no notifications are watched. */
  push?: PushService;
};

/** Observes something until `stop`. */
export type Watcher = { stop(): Promise<void> };

/** Longer than any fault: a call that was given up could still happen later, in another order. */
const ANSWER_WITHIN_MS = 60_000;
const AGAIN_MS = 100;

type Call = { path: string; body?: object; method?: string; port?: number };

/** What all watchers share: the installation, own desks, and calls that survive faults. */
export class Scene {
  readonly stage: WatchedStage;
  readonly history: HistoryWriter;
  readonly random: Random;
  /** How long everything may take. */
  readonly limits: typeof PROMISED;
  readonly #abandoned = new AbortController();
  readonly #staffIds: ReadonlyMap<string, string>;

  constructor(parts: {
    stage: WatchedStage;
    history: HistoryWriter;
    random: Random;
    staffIds: ReadonlyMap<string, string>;
    timed: boolean;
  }) {
    this.limits = parts.timed ? PROMISED : AT_ALL;
    this.stage = parts.stage;
    this.history = parts.history;
    this.random = parts.random;
    this.#staffIds = parts.staffIds;
  }

  /** Ends every wait, for a run that failed. */
  abandon(): void {
    this.#abandoned.abort(new Error('the run was abandoned'));
  }

  staffId(alias: string): string {
    return this.#staffIds.get(alias) ?? '';
  }

  readonly sleep = (ms: number): Promise<void> => sleep(ms, undefined, { signal: this.#abandoned.signal });

  /** Makes a call at any gateway, again and again until one answers. Throws if it is permanently refused. */
  async call(browser: Browser, call: Call): Promise<Record<string, unknown>> {
    for (;;) {
      const port = call.port ?? this.random.pick(this.stage.gatewayPorts);
      const signal = AbortSignal.any([AbortSignal.timeout(ANSWER_WITHIN_MS), this.#abandoned.signal]);
      try {
        return await browser.call(call.path, call.body, call.method, { port, signal });
      } catch (error) {
        if (error instanceof Refused && error.code !== '' && !isRetryable(error.code as ErrorCode))
          throw error;
        await this.sleep(AGAIN_MS);
      }
    }
  }

  /** A call that the audit log must contain once, however often it is made. Returns when it was first answered. */
  async act(
    entry: { action: string; target: string },
    browser: Browser,
    call: Call,
    times = 1,
  ): Promise<number> {
    let done = false;
    try {
      await this.call(browser, call);
      done = true;
    } finally {
      this.history.write({ type: 'action', ...entry, done });
    }
    const at = Date.now();
    for (let time = 1; time < times; time += 1) await this.call(browser, call);
    return at;
  }

  /** Repeats a step, with pauses of this average length, until stopped. */
  repeat(pauseMs: number, step: () => Promise<void>): Watcher {
    let stopped = false;
    const running = (async () => {
      while (!stopped) {
        await this.sleep(this.random.until(pauseMs));
        if (!stopped) await step();
      }
    })();
    running.catch(() => {});
    return {
      async stop() {
        stopped = true;
        await running;
      },
    };
  }
}

/** By alias. */
export async function readStaffIds(databaseUrl: string): Promise<Map<string, string>> {
  const rows = await query(databaseUrl, 'select alias, id from staff where alias is not null');
  return new Map(rows as [string, string][]);
}
