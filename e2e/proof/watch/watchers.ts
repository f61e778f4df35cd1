import type { HistoryWriter } from '../history.ts';
import type { Random } from '../random.ts';
import type { Desk } from '../world.ts';

/** What the watchers need to know about the installation. */
type WatchedStage = {
  /** PostgreSQL, without a proxy that fails. After a failover it must lead to the new primary. */
  databaseUrl: string;
  /** All gateways, without a proxy that fails. */
  gatewayPorts: number[];
  /** The gateway to sign in at: if clocks differ, the one with the fastest, so that its tokens are valid at all. */
  signInPort: number;
  /** PUBLIC_URL. */
  origin: string;
  /** The environment of a gateway: secret, media store and so on. */
  env: Record<string, string>;
};

type WatcherParts = {
  stage: WatchedStage;
  /** The desks of the load. Their handlers are connected all the time. */
  desks: Desk[];
  history: HistoryWriter;
  random: Random;
  /** Whether to wait, at the end, for what takes minutes. */
  thorough: boolean;
};

/** Observes one property until `stop`, which also reads what only the end can show. */
type Watcher = { stop(): Promise<void> };

/**
 * Starts everything that the checker needs beside the messages of the load. Call it when the
 * devices are open and before the faults; call `finish` after the last repair, while the gateways run, and before `history.close()`. The watchers use
 * their own desks and conversations, except that they set the handlers of the load away for a time.
 */
export async function startWatchers(_parts: WatcherParts): Promise<{ finish(): Promise<void> }> {
  const watchers: Watcher[] = [];
  return {
    async finish() {
      for (const watcher of watchers) await watcher.stop();
    },
  };
}
