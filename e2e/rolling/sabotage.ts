import type { Property } from '../proof/checker.ts';
import type { Patch } from '../proof/patchedBuild.ts';
import { LOCKS_LONG } from './nextRelease.ts';
import type { LiveProperty } from './promises.ts';
import type { Act } from './run.ts';

export type Sabotage = {
  what: string;
  /** On every gateway of the run. */
  patches: Patch[];
  /** Behind the next release's own. */
  migration: string;
  /** Of the pages' clocks. */
  speed: number;
  acts: readonly Act[];
  patienceMs: number;
  /** Each of these must be found: failing for any other reason proves nothing. */
  mustBreak: readonly (Property | LiveProperty)[];
};

/** What an upgrade must not be like, in one run: each of its faults breaks a promise of its own. */
export const sabotages = {
  careless: {
    what: 'a gateway acknowledges before the commit, drops everything on SIGTERM and calls its desks empty; pages wait for long before they come back; a migration keeps what sends need',
    patches: [
      {
        file: 'server/src/db/message/appendCall.ts',
        find: 'const { rows } = await connection.query<Row>({',
        put: "await connection.query('begin');\n      const { rows } = await connection.query<Row>({",
      },
      {
        file: 'server/src/db/message/appender.ts',
        find: 'settle(batch, rows);',
        put: "settle(batch, rows);\n        await new Promise((done) => setTimeout(done, 1_000));\n        await this.#connection?.query('commit');",
      },
      {
        file: 'server/src/live/socketServer.ts',
        find: 'async drain(): Promise<void> {',
        put: "async drain(): Promise<void> {\n    await this.#app.db.pool.query('delete from presence');\n    process.exit(0);",
      },
    ],
    migration: LOCKS_LONG,
    speed: 1 / 25,
    acts: ['begin'],
    patienceMs: 0,
    mustBreak: ['lost', 'presence', 'back', 'stall'],
  },
} as const satisfies Record<string, Sabotage>;

export type SabotageName = keyof typeof sabotages;
