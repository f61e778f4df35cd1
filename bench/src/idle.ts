// A separate process: sockets that connect, watch their conversation and stay open.
import { setTimeout as sleep } from 'node:timers/promises';
import { forEachConcurrently } from '../../server/src/limits/concurrency.ts';
import { openSocket } from './hello.ts';
import type { SignedIn } from './people.ts';
import type { Wire } from './wire.ts';

export type IdleUsers = { port: number; origin: string; users: SignedIn[]; from?: string };

const WIDTH = 50;
const RETRY_MS = 1_000;
const TRIES = 60;
const staying: Wire[] = [];

/** A busy gateway refuses sockets for now. A page would try again, too. */
async function openPatiently(open: () => Promise<Wire>): Promise<Wire> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await open();
    } catch (error) {
      if (tries === TRIES || !String(error).includes('503')) throw error;
      await sleep(RETRY_MS);
    }
  }
}

process.on('message', ({ port, origin, users, from }: IdleUsers) => {
  forEachConcurrently(users, WIDTH, async ({ token, conversationIds }) => {
    const wire = await openPatiently(() => openSocket(port, origin, token, from));
    for (const conversationId of conversationIds)
      await wire.ask({ type: 'watch', conversationId }, 'watched');
    wire.onClose = () => {
      throw new Error('an idle socket was closed');
    };
    staying.push(wire);
  }).then(
    () => process.send?.({ count: staying.length }),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
