// A separate process: sockets that connect, watch their conversation and stay open.
import { setTimeout as sleep } from 'node:timers/promises';
import { forEachConcurrently } from '../../server/testing/rules.ts';
import { openSocket } from './chat.ts';
import type { SignedIn } from './people.ts';
import type { Wire } from './wire.ts';

/** `from`: the clients' own address. */
export type IdleUsers = { port: number; origin: string; users: SignedIn[]; from?: string };

const WIDTH = 50;
const WATCH_MS = 5_000;
const RETRY_MS = 1_000;
const TRIES = 30;
const staying: Wire[] = [];

process.on('message', ({ port, origin, users, from }: IdleUsers) => {
  forEachConcurrently(users, WIDTH, async ({ token, conversationIds }) => {
    const wire = await patiently(() => openSocket(port, origin, token, from));
    for (const conversationId of conversationIds)
      await patiently(() => wire.ask({ type: 'watch', conversationId }, 'watched', WATCH_MS));
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

/** A busy gateway refuses sockets and frames for now. A page would try again, too. */
async function patiently<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries === TRIES) throw error;
      await sleep(RETRY_MS);
    }
  }
}
