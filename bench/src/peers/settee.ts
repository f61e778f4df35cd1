import { startSettee } from '../path.ts';
import { seedConversations, seedDesks, signInAdministrator, signInVisitor } from '../people.ts';
import type { Engines } from '../stage.ts';
import { PEER_TEXT } from '../text.ts';
import { archiveIn, type Product } from './product.ts';

const DESKS = 20;

export async function settee(engines: Engines, version: string): Promise<Product> {
  const database = await engines.createDatabase();
  const desks = await seedDesks(database, DESKS);
  // Without one, each start would print a setup code.
  await signInAdministrator(0, database);
  return {
    name: 'Settee',
    version,
    rates: [4_000, 8_000, 12_000, 14_000, 16_000, 20_000, 24_000, 28_000],
    idleShare: 1,
    async start() {
      const server = await startSettee({ engines, database, desks }, { text: PEER_TEXT });
      return {
        ...server,
        async sessions(_from, count) {
          const claimed = await seedConversations(database, desks, Array<number>(count).fill(0));
          const visitors = await Promise.all(claimed.map((each) => signInVisitor(server.port, each)));
          return { ...server.setup, visitors, handlers: [] };
        },
      };
    },
    ...archiveIn(database, 'select count(*) from messages'),
  };
}
