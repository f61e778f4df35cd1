import { ackBeforeCommit } from '../proof/ackBeforeCommit.ts';
import type { Property } from '../proof/checker.ts';
import type { Patch } from '../proof/patch.ts';
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
      ackBeforeCommit(200),
      {
        file: 'server/src/live/socketServer.ts',
        find: 'class Any { async drain(): Promise<void> { $$$DRAIN } }',
        kind: 'method_definition',
        put: `async drain(): Promise<void> {
          Object.assign(globalThis, { leaving: true });
          const { default: pg } = await import('pg');
          const database = new pg.Client(process.env.DATABASE_URL);
          await database.connect();
          await database.query('delete from presence');
          await new Promise(() => {});
        }`,
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
