// A separate process: sockets that connect, watch their conversation and stay open.
import { forEachConcurrently } from '../../server/src/limits/concurrency.ts';
import { openSocket } from './hello.ts';
import type { SignedIn } from './people.ts';
import type { Wire } from './wire.ts';

export type IdleUsers = { port: number; origin: string; users: SignedIn[] };

const WIDTH = 50;
const staying: Wire[] = [];

process.on('message', ({ port, origin, users }: IdleUsers) => {
  forEachConcurrently(users, WIDTH, async ({ token, conversationIds }) => {
    const wire = await openSocket(port, origin, token);
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
