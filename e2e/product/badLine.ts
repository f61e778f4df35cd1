import type { Socket } from 'node:net';
import { startForwarding } from '../proof/proxy.ts';
import type { Random } from '../proof/random.ts';

/** Where an upload breaks: at this byte, or after everything arrived and before the response. */
export type Cut = number | 'answer';

export type BadLine = {
  url: string;
  /** The next uploads break here, one after the other. Later uploads succeed. */
  cutNext(cuts: Cut[]): void;
  cutsLeft(): number;
  /** From now on there is no speed limit. */
  hurry(): void;
  /** Rejects new connections and closes the open ones. */
  refuse(): void;
  accept(): void;
  close(): void;
};

type LineOptions = {
  to: string;
  /** In each direction. */
  bytesPerSecond?: number;
  /** A request of at least this size counts as an upload. */
  uploadBytes?: number;
};

/** A network like a real one: slow, and it can break at any byte. */
export async function startBadLine(options: LineOptions): Promise<BadLine> {
  const { to, uploadBytes = Number.POSITIVE_INFINITY } = options;
  let { bytesPerSecond = Number.POSITIVE_INFINITY } = options;
  const speed = () => bytesPerSecond;
  const port = Number(new URL(to).port);
  const open = new Set<Socket>();
  let refusing = false;
  let cuts: Cut[] = [];

  const proxy = await startForwarding(
    () => port,
    ({ client, server }) => {
      if (refusing) return void client.resetAndDestroy();
      open.add(client);
      client.once('close', () => open.delete(client));
      let up = 0;
      const cut = (): void => {
        cuts.shift();
        client.resetAndDestroy();
        server.destroy();
      };
      carry(client, server, speed, (bytes) => {
        const [next] = cuts;
        up += bytes.length;
        if (typeof next !== 'number' || up < next) return true;
        server.write(bytes.subarray(0, bytes.length - (up - next)));
        cut();
        return false;
      });
      carry(server, client, speed, () => {
        if (cuts[0] !== 'answer' || up < uploadBytes) return true;
        cut();
        return false;
      });
    },
  );

  return {
    url: `http://127.0.0.1:${proxy.port}`,
    cutNext(next) {
      cuts = [...next];
    },
    cutsLeft: () => cuts.length,
    hurry() {
      bytesPerSecond = Number.POSITIVE_INFINITY;
    },
    refuse() {
      refusing = true;
      for (const client of open) client.resetAndDestroy();
    },
    accept() {
      refusing = false;
    },
    close() {
      proxy.close();
      for (const client of open) client.destroy();
    },
  };
}

/** Random positions in an upload, except in its first bytes, which contain only the header. */
export function cutsWithin(random: Random, bytes: number, count: number): Cut[] {
  return Array.from({ length: count }, () => random.whole(bytes / 20, bytes));
}

/** Forwards data at the line's speed. If `may` returns false, the data is dropped. */
function carry(from: Socket, to: Socket, speed: () => number, may: (bytes: Buffer) => boolean): void {
  let free = performance.now();
  from.on('data', (bytes: Buffer) => {
    if (!may(bytes)) return;
    to.write(bytes);
    const now = performance.now();
    free = Math.max(free, now) + (bytes.length / speed()) * 1_000;
    // Timers are coarse: pause only when the delay is long enough for one.
    if (free - now < 5) return;
    from.pause();
    setTimeout(() => from.resume(), free - now);
  });
  from.once('end', () => to.end());
}
