import pg from 'pg';
import { seededRandom } from '../../server/test/seededRandom.ts';
import { SimulatedHandler } from './handler.ts';
import { Pace } from './pace.ts';
import { SimulatedVisitor } from './visitor.ts';

const NAMES = [
  'Rosa Delgado',
  'Ben Carter',
  'Yara Nasser',
  'Lukas Maier',
  'Ida Friis',
  'Hugo Lefèvre',
  'Tara Singh',
  'Milo Rossi',
];
/** So many are there from the start; the others drop in one after another. */
const AT_ONCE = 4;
const SEED = 7;

export type Cast = {
  /** Ends everybody. Answers how many messages the server acknowledged, and how many of them are stored. */
  leave(): Promise<{ acknowledged: number; stored: number }>;
};

/** Lets simulated people live in the installation, over the product's own wire. */
export async function startCast(url: string, databaseUrl: string, links: readonly string[]): Promise<Cast> {
  const ending = new AbortController();
  const acknowledged: string[] = [];
  const keep = (id: string): void => void acknowledged.push(id);
  const pace = (who: number): Pace => new Pace(seededRandom(SEED + who), ending.signal);
  const names = new Set(NAMES);
  const handler = new SimulatedHandler(url, pace(0), (name) => names.has(name), keep);
  const lives = [handler.live()];
  await handler.begun;
  for (const [index, link] of links.slice(0, NAMES.length).entries()) {
    const own = pace(index + 1);
    const visitor = new SimulatedVisitor(url, own, keep);
    const comesAfter = index < AT_ONCE ? index : 60 * (index - AT_ONCE + 1);
    const live = async (): Promise<void> => {
      await own.pause(comesAfter, comesAfter + 1);
      if (!own.isOver) await visitor.live(link, NAMES[index] ?? '');
    };
    lives.push(live());
  }
  return {
    async leave() {
      ending.abort();
      await Promise.allSettled(lives);
      return { acknowledged: acknowledged.length, stored: await countStored(databaseUrl, acknowledged) };
    },
  };
}

async function countStored(databaseUrl: string, ids: readonly string[]): Promise<number> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ stored: number }>(
    'select count(distinct id)::int as stored from messages where id = any ($1)',
    [ids],
  );
  await client.end();
  return rows[0]?.stored ?? 0;
}
