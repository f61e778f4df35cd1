import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../platform/config/config.ts';
import { installCrashHandlers } from '../platform/log/crashHandlers.ts';
import { createLog, type Log, reason } from '../platform/log/log.ts';
import { onStopSignal } from '../platform/log/stopSignal.ts';

/** Delay before a gateway starts again. It doubles while gateways end soon after their start. */
const RESTART_MS = 1_000;
const RESTART_MAX_MS = 30_000;
const STABLE_MS = 60_000;

/** Runs GATEWAYS gateways on one port until a signal stops them, or until one cannot start. */
export async function superviseGateways({ gateways, logLevel }: Config): Promise<void> {
  const log = createLog(logLevel);
  installCrashHandlers(log);
  // All accept from one queue of the kernel. Round robin would lose the connection that a killed gateway was given.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const places = Array.from({ length: gateways }, (_, index) => new Place(index + 1, log));
  const stop = (): void => {
    for (const place of places) place.stop();
  };
  onStopSignal(log, stop);
  const clean = await Promise.all(places.map((place) => place.run().finally(stop)));
  process.exit(clean.every(Boolean) ? 0 : 1);
}

/** What differs between the gateways of one machine. Other processes get what is configured. */
export function configOfGateway(config: Config): Config {
  if (!cluster.isWorker) return config;
  const gateway = Number(process.argv[2]);
  const { privatePort, runJobs } = config;
  return {
    ...config,
    gateway,
    // With 0, the system chooses each.
    ...(privatePort && { privatePort: privatePort + gateway - 1 }),
    runJobs: runJobs && gateway === 1,
  };
}

/** One gateway, and its successors if it crashes. */
class Place {
  readonly #gateway: number;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  #worker: Worker | undefined;
  #hasServed = false;

  constructor(gateway: number, log: Log) {
    this.#gateway = gateway;
    this.#log = log;
  }

  /** Resolves when no process runs any more: true if the last one stopped as asked. */
  async run(): Promise<boolean> {
    const { signal } = this.#stopping;
    for (let delay = RESTART_MS; ; ) {
      const began = performance.now();
      const end = await this.#runOnce();
      // The signal itself ends a process that has not loaded its code yet.
      if (signal.aborted) return end === 'exit code 0' || end === 'SIGTERM';
      this.#log.error({ gateway: this.#gateway, reason: end }, 'gateway ended');
      if (!this.#hasServed) return false;
      if (performance.now() - began > STABLE_MS) delay = RESTART_MS;
      await sleep(delay, undefined, { signal }).catch(() => {});
      if (signal.aborted) return true;
      delay = Math.min(2 * delay, RESTART_MAX_MS);
    }
  }

  stop(): void {
    this.#stopping.abort();
    this.#worker?.process.kill('SIGTERM');
  }

  /** How the process ended. */
  #runOnce(): Promise<string> {
    cluster.setupPrimary({ args: [String(this.#gateway)] });
    const worker = cluster.fork();
    this.#worker = worker;
    worker.once('listening', () => {
      this.#hasServed = true;
    });
    return new Promise((resolve) => {
      worker.once('exit', (code, signal) => resolve(signal || `exit code ${code}`));
      // A process that could not be created has no exit.
      worker.on('error', (error) => {
        if (worker.process.pid === undefined) resolve(reason(error));
      });
    });
  }
}
