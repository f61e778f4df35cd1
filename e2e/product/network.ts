import type { Socket } from 'node:net';
import type { Page, Route, WebSocketRoute } from '@playwright/test';
import { startForwarding } from '../proof/proxy.ts';
import type { Random } from '../proof/random.ts';

/** Holds calls to a path (wildcards allowed) until the returned function runs. */
export async function hold(page: Page, path: string): Promise<() => Promise<void>> {
  const held: Route[] = [];
  let through = false;
  await page.route(`**/${path}`, (route) => {
    if (through) return route.continue();
    held.push(route);
  });
  return async () => {
    through = true;
    await Promise.all(held.map((route) => route.continue()));
  };
}

export type Line = {
  /** Closes the page's sockets and blocks new ones until `mend`. With `network: false`, HTTP still works. */
  cut(options?: { network: boolean }): Promise<void>;
  mend(): Promise<void>;
  /** Filters the frames that the page sends or receives. Return undefined to drop a frame. */
  onUp: (frame: string, answer: (frame: string) => void) => string | undefined;
  onDown: (frame: string) => string | undefined;
};

/** Takes control of the page's socket, from its next load on. */
export async function holdLine(page: Page): Promise<Line> {
  const sockets = new Set<WebSocketRoute>();
  let whole = true;
  const line: Line = {
    async cut({ network } = { network: true }) {
      whole = false;
      if (network) await page.context().setOffline(true);
      await Promise.all([...sockets].map((socket) => socket.close().catch(() => {})));
    },
    async mend() {
      whole = true;
      await page.context().setOffline(false);
    },
    onUp: (frame) => frame,
    onDown: (frame) => frame,
  };
  await page.routeWebSocket('**/live', (socket) => {
    if (!whole) return void socket.close();
    sockets.add(socket);
    const server = socket.connectToServer();
    socket.onMessage((frame) => {
      const passed = line.onUp(String(frame), (answer) => socket.send(answer));
      if (passed !== undefined) server.send(passed);
    });
    server.onMessage((frame) => {
      const passed = line.onDown(String(frame));
      if (passed !== undefined) socket.send(passed);
    });
  });
  return line;
}

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
