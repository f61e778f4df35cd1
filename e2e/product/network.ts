import type { Socket } from 'node:net';
import type { Page, Route, WebSocketRoute } from '@playwright/test';
import { startForwarding } from '../proof/proxy.ts';

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

export type BadLine = {
  url: string;
  /** Rejects new connections and closes the open ones. */
  refuse(): void;
  accept(): void;
  close(): void;
};

export async function startBadLine({ to }: { to: string }): Promise<BadLine> {
  const port = Number(new URL(to).port);
  const open = new Set<Socket>();
  let refusing = false;
  const proxy = await startForwarding(
    () => port,
    ({ client, server }) => {
      if (refusing) return void client.resetAndDestroy();
      open.add(client);
      client.once('close', () => open.delete(client));
      client.pipe(server);
      server.pipe(client);
    },
  );
  return {
    url: `http://127.0.0.1:${proxy.port}`,
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
