import type { Socket } from 'node:net';
import { type Pair, startForwarding } from '../proxy.ts';
import type { Random } from '../random.ts';
import { Cuts } from './cuts.ts';

/** The share of connections that first become silent, as in a tunnel. */
const SILENCE_CHANCE = 0.3;
const SILENCE_MAX_MS = 1_500;

/** The network between clients and gateways: delays data and cuts connections at any byte. */
export async function startClientLines(
  random: Random,
  options: { gatewayPorts: number[]; delayMaxMs: number },
): Promise<{ port: number; cuts: Cuts }> {
  const { gatewayPorts, delayMaxMs } = options;
  const cuts = new Cuts(random);

  function carry(from: Socket, to: Socket, cut: () => void): void {
    const queue: { bytes: Buffer; due: number }[] = [];
    const passing = cuts.direction();
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
      if (delayMaxMs === 0) return void to.write(bytes);
      last = Math.max(last, performance.now() + random.between(0, delayMaxMs));
      queue.push({ bytes, due: last });
      timer ??= setTimeout(deliver, Math.max(1, last - performance.now()));
    };
    const finish = (end: () => void): void => {
      whenEmpty ??= end;
      if (timer === undefined) whenEmpty();
    };
    from.on('data', (bytes: Buffer) => {
      const passes = passing(bytes.length);
      // After a cut, only the first bytes of this frame arrive.
      push(bytes.subarray(0, passes));
      if (passes === bytes.length) return;
      from.removeAllListeners('data').resume();
      finish(cut);
    });
    from.on('end', () => finish(() => to.end()));
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

  const { port } = await startForwarding(() => random.pick(gatewayPorts), join);
  return { port, cuts };
}
