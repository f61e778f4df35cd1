import { connect, createServer, type Socket } from 'node:net';

export type BreakableLine = {
  /** The same URL, through the proxy. */
  url: string;
  /**
   * From now on nothing passes in either direction. Connections stay open and new ones are accepted, as with a frozen
   * server.
   */
  pause(): void;
  /** Every connection breaks, also each new one, as with a dead server. */
  cut(): void;
  /** Delivers the held data, and everything after it. */
  resume(): void;
  close(): Promise<void>;
};

/** A proxy between a process under test and a shared engine. */
export async function breakableLine(to: string): Promise<BreakableLine> {
  const target = new URL(to);
  const open = new Set<Socket>();
  let silent = false;
  let broken = false;
  const listener = createServer((near) => {
    if (broken) {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        open.delete(from);
        into.destroy();
      });
      from.on('line resumed', () => from.pipe(into));
      from.on('line paused', () => from.unpipe(into).pause());
      if (!silent) from.pipe(into);
    }
  });
  await new Promise<void>((done) => void listener.listen(0, '127.0.0.1', done));
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('the line has no port');
  const url = new URL(to);
  url.hostname = '127.0.0.1';
  url.port = String(address.port);
  const emitAll = (event: 'line resumed' | 'line paused'): void => {
    silent = event === 'line paused';
    broken = false;
    for (const socket of open) socket.emit(event);
  };
  return {
    url: url.href,
    pause: () => emitAll('line paused'),
    cut() {
      broken = true;
      for (const socket of open) socket.destroy();
    },
    resume: () => emitAll('line resumed'),
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((closed) => void listener.close(closed));
    },
  };
}
