import { randomBytes, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import pg from 'pg';
import {
  benchConfig,
  type SignedIn,
  seedConversations,
  seedDesks,
  signInHandler,
  signInVisitor,
} from '../../bench/src/people.ts';
import { migrate } from '../../server/src/db/engine/migrate.ts';
import { type EngineControl, engineControl, startEngines } from '../../tools/engines/engines.ts';
import { freePorts } from '../../tools/freePorts.ts';
import { createDatabase } from '../proof/database.ts';
import { GatewayProcess } from '../proof/gatewayProcess.ts';

export const INSTANCE = 'hostile';
const BUILD = resolve(import.meta.dirname, '../..');

/** A visitor or handler, with the conversations that they can open. */
export type Person = SignedIn;

/** Two gateways: everybody connects to the first, and staff moderate at the second. */
export type Stage = {
  port: number;
  moderationPort: number;
  origin: string;
  nats: EngineControl;
  /** Visitors with one conversation each at this desk. `messages`: long messages that it has already. */
  visitors(desk: string, count: number, messages?: number): Promise<Person[]>;
  handler(desk: string, conversationIds: string[]): Promise<Person>;
  /** Visitors without an invite. */
  strangers(count: number): Promise<Person[]>;
  countMessages(conversationIds: string[]): Promise<number>;
  /** The highest memory of the first gateway so far, in MB. */
  peakMemory(): number;
  unexpectedEnds(): string[];
  close(): Promise<void>;
};

export async function setStage(keep: boolean): Promise<Stage> {
  const engines = await startEngines({ instance: INSTANCE, require: true, only: ['postgres', 'nats'] });
  const fresh = await createDatabase(engines.DATABASE_URL, 'hostile', ({ url, ownerUrl }) =>
    migrate({ databaseUrl: url, databaseOwnerUrl: ownerUrl }).then(() => {}),
  );
  const pool = new pg.Pool({ connectionString: fresh.ownerUrl, max: 4 });
  pool.on('error', () => {});
  const database = {
    url: fresh.url,
    ownerUrl: fresh.ownerUrl,
    run: async <T>(statement: string, values?: unknown[]) =>
      (await pool.query(statement, values)).rows as T[],
    drop: fresh.drop,
  };
  const [port = 0, moderationPort = 0] = await freePorts(2);
  const { secret, publicUrl } = benchConfig(port);
  // The limits are those of the product.
  const env = {
    DATABASE_URL: fresh.url,
    NATS_URL: engines.NATS_URL ?? '',
    SECRET: secret,
    PUBLIC_URL: publicUrl,
    LOG_LEVEL: 'fatal',
    RUN_JOBS: 'false',
    WEB_ROOT: '/nowhere',
    MEDIA_ROOT: resolve(BUILD, '.settee', INSTANCE, 'media'),
  };
  const gateways = [port, moderationPort].map(
    (each, at) =>
      new GatewayProcess({
        name: `gateway ${'AB'[at]}`,
        port: each,
        build: BUILD,
        env,
        clockAnHourAhead: false,
      }),
  );
  const [measured] = gateways;
  await Promise.all(gateways.map((gateway) => gateway.start()));
  await seedDesks(database, 10);
  return {
    port,
    moderationPort,
    origin: publicUrl,
    nats: engineControl('nats', { instance: INSTANCE }),
    async visitors(desk, count, messages = 0) {
      const claimed = await seedConversations(database, [desk], Array<number>(count).fill(messages));
      const ids = claimed.map(({ conversationId }) => conversationId);
      await database.run(
        `insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
         select c.id, s.seq, gen_random_uuid(), false, c.visitor_id, now(), repeat('x', 4000)
         from conversations c cross join lateral generate_series(1, c.last_seq) as s (seq)
         where c.id = any ($1)`,
        [ids],
      );
      return Promise.all(claimed.map((each) => signInVisitor(port, each)));
    },
    handler: (desk, conversationIds) => signInHandler(port, database, desk, conversationIds),
    strangers: (count) =>
      Promise.all(
        Array.from({ length: count }, () =>
          signInVisitor(port, {
            conversationId: randomUUID(),
            visitorId: randomUUID(),
            credential: randomBytes(32),
            alias: '',
          }),
        ),
      ),
    async countMessages(ids) {
      const [row] = await database.run<{ count: number }>(
        'select count(*)::int as count from messages where conversation_id = any ($1)',
        [ids],
      );
      return row?.count ?? 0;
    },
    peakMemory: () => measured?.peakMemory() ?? 0,
    unexpectedEnds: () => gateways.flatMap(({ unexpectedEnds }) => unexpectedEnds),
    async close() {
      await Promise.all(gateways.map((gateway) => gateway.kill()));
      await pool.end();
      if (!keep) await fresh.drop();
    },
  };
}
