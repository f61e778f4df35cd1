import type { Target } from '../path.ts';
import type { BenchDatabase } from '../stage.ts';

/** A running server whose memory can be measured too. */
export type Server = Target & {
  pid: number | undefined;
  /** A setup for the generator that only connects some sessions. No session is in two such setups. */
  sessions(from: number, count: number): Promise<object>;
};

/** One of the compared products, with its own database. */
export type Product = {
  name: string;
  version: string;
  /** Messages a second to try, rising. */
  rates: number[];
  /** How many of the wanted idle sessions this product gets: an initial sync of Synapse takes long. */
  idleShare: number;
  start(): Promise<Server>;
  /** Messages in the archive. */
  stored(): Promise<number>;
  /** Finishes the work that PostgreSQL would otherwise do while another product is measured. */
  tidy(): Promise<void>;
};

/** `count` is a query for the number of messages. */
export function archiveIn(database: BenchDatabase, count: string): Pick<Product, 'stored' | 'tidy'> {
  return {
    async stored() {
      const [row] = await database.run<{ count: string }>(count);
      return Number(row?.count);
    },
    async tidy() {
      await database.run('vacuum (analyze)');
      await database.run('checkpoint');
    },
  };
}
