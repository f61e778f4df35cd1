import type { Property } from '../proof/checker.ts';
import type { Patch } from '../proof/patchedBuild.ts';
import { LOCKS_LONG } from './nextRelease.ts';
import type { LiveProperty } from './properties.ts';
import type { Act } from './run.ts';

export type Sabotage = {
  what: string;
  /** For every gateway of the run. */
  patches: Patch[];
  /** Runs after the migrations of the next release. */
  migration: string;
  /** The speed of the pages' clocks. */
  speed: number;
  acts: readonly Act[];
  patienceMs: number;
  /** The properties that must break. Another failure proves nothing. */
  mustBreak: readonly (Property | LiveProperty)[];
};

/** One run with several faults. Each breaks another property. */
export const sabotages = {
  careless: {
    what: 'a gateway acknowledges before the commit, drops everything on SIGTERM and marks its desks as empty; pages reconnect late; a migration holds a lock that sends need',
    patches: [
      {
        file: 'server/src/db/message/appendCall.ts',
        find: 'const { rows } = await confirmed(',
        put: "await connection.query('begin');\n  const { rows } = await confirmed(",
      },
      {
        file: 'server/src/db/message/appender.ts',
        find: 'settle(batch, rows);',
        // A gateway that leaves acknowledges one more batch, and ends before its commit.
        put: "settle(batch, rows);\n        await new Promise((done) => setTimeout(done, 200));\n        if ('leaving' in globalThis) process.exit(0);\n        await this.#connection?.query('commit');",
      },
      {
        file: 'server/src/live/socketServer.ts',
        find: 'async drain(): Promise<void> {',
        put: "async drain(): Promise<void> {\n    await this.#app.db.pool.query('delete from presence');\n    Object.assign(globalThis, { leaving: true });\n    await new Promise(() => {});",
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
