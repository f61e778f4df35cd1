import type { Socket } from 'node:net';
import { type Pair, startForwarding } from '../proof/proxy.ts';
import type { Random } from '../proof/random.ts';

const DELAY_MAX_MS = 30;
/** Average bytes until a cut. A busy device loses its connection a few times a minute. */
const CUT_AFTER_BYTES = 120_000;
/** The share of connections that first become silent, as in a tunnel. */
const SILENCE_CHANCE = 0.3;
const SILENCE_MAX_MS = 1_500;

export type ClientLines = {
  port: number;
  cuts(): number;
  /** Ends the cuts, but not the delays. */
  calm(): void;
};

/** The network between clients and gateways: delays data and cuts connections at any byte. */
export async function startClientLines(random: Random, gatewayPorts: number[]): Promise<ClientLines> {
  let calm = false;
  let cuts = 0;

  function carry(from: Socket, to: Socket, cut: () => void): void {
    const queue: { bytes: Buffer; due: number }[] = [];
    let left = Math.ceil(random.until(CUT_AFTER_BYTES));
    let last = 0;
    let timer: NodeJS.Timeout | undefined;
    let whenEmpty: (() => void) | undefined;
    const deliver = (): void => {
      timer = undefined;
      // Sends data that is almost due too, so that a burst is one write.
      const now = performance.now();
      const due: Buffer[] = [];
      for (let next = queue[0]; next !== undefined && next.due <= now + 3; next = queue[0]) {
        due.push(next.bytes);
        queue.shift();
      }
      if (due.length > 0) to.write(due.length === 1 ? (due[0] ?? '') : Buffer.concat(due));
      const next = queue[0];
      if (next !== undefined) timer = setTimeout(deliver, Math.max(1, next.due - now));
      else whenEmpty?.();
    };
    const push = (bytes: Buffer): void => {
      last = Math.max(last, performance.now() + random.between(0, DELAY_MAX_MS));
      queue.push({ bytes, due: last });
      timer ??= setTimeout(deliver, Math.max(1, last - performance.now()));
    };
    from.on('data', (bytes: Buffer) => {
      left -= bytes.length;
      if (calm || left > 0) return push(bytes);
      // Only the first bytes of this frame arrive.
      push(bytes.subarray(0, bytes.length + left));
      from.removeAllListeners('data').resume();
      cuts += 1;
      whenEmpty = cut;
    });
    from.on('end', () => {
      whenEmpty ??= () => to.end();
      if (timer === undefined) whenEmpty();
    });
    to.once('close', () => clearTimeout(timer));
  }

  function join({ client, server }: Pair): void {
    let silent = false;
    const cut = (): void => {
      if (silent) return;
      silent = true;
      const end = (): void => {
        if (random.chance(0.5)) client.resetAndDestroy();
        else client.destroy();
        server.destroy();
      };
      if (random.chance(SILENCE_CHANCE)) setTimeout(end, random.between(100, SILENCE_MAX_MS));
      else setImmediate(end);
    };
    carry(client, server, cut);
    carry(server, client, cut);
  }

  const proxy = await startForwarding(() => random.pick(gatewayPorts), join);
  return {
    port: proxy.port,
    cuts: () => cuts,
    calm() {
      calm = true;
    },
  };
}
