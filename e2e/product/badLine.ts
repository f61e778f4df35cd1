import type { Socket } from 'node:net';
import { startForwarding } from '../proof/proxy.ts';
import type { Random } from '../proof/random.ts';

/** Where an upload's line breaks: at a byte of it, or when all has arrived and the answer is on its way back. */
export type Cut = number | 'answer';

export type BadLine = {
  url: string;
  /** The next uploads break here, one after the other; those behind them come through. */
  cutNext(cuts: Cut[]): void;
  cutsLeft(): number;
  /** Nobody gets through, and whoever was on it is thrown off. */
  refuse(): void;
  accept(): void;
  close(): void;
};

type LineOptions = {
  /** What lies at the other end. */
  to: string;
  /** Each way. */
  bytesPerSecond?: number;
  /** From so many bytes on, what goes up is an upload and not a question. */
  uploadBytes?: number;
};

/** A network like those that people have: slow, and broken off at any byte. */
export async function startBadLine(options: LineOptions): Promise<BadLine> {
  const { to, bytesPerSecond = Number.POSITIVE_INFINITY, uploadBytes = Number.POSITIVE_INFINITY } = options;
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
      carry(client, server, bytesPerSecond, (bytes) => {
        const [next] = cuts;
        up += bytes.length;
        if (typeof next !== 'number' || up < next) return true;
        server.write(bytes.subarray(0, bytes.length - (up - next)));
        cut();
        return false;
      });
      carry(server, client, bytesPerSecond, () => {
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

/** So many different places in an upload, anywhere but in its first bytes, which hold only its head. */
export function cutsWithin(random: Random, bytes: number, count: number): Cut[] {
  return Array.from({ length: count }, () => random.whole(bytes / 20, bytes));
}

/** Passes on what comes, no faster than the line is; what is refused by `may` ends there. */
function carry(from: Socket, to: Socket, bytesPerSecond: number, may: (bytes: Buffer) => boolean): void {
  let free = performance.now();
  from.on('data', (bytes: Buffer) => {
    if (!may(bytes)) return;
    to.write(bytes);
    const now = performance.now();
    free = Math.max(free, now) + (bytes.length / bytesPerSecond) * 1_000;
    // Timers are coarse: the line pauses once it is worth one.
    if (free - now < 5) return;
    from.pause();
    setTimeout(() => from.resume(), free - now);
  });
  from.once('end', () => to.end());
}
