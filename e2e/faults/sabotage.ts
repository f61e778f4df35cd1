import type { Property } from '../proof/checker.ts';
import type { Patch } from '../proof/patchedBuild.ts';
import type { FaultKind } from './faults.ts';
import { lookUpBeforeLock } from './lookUpBeforeLock.ts';

export type Sabotage = {
  what: string;
  patches: Patch[];
  /** Run on the migrated database. */
  sql: string;
  /** What the checker must find: failing for any other reason proves nothing. */
  mustBreak: Property;
  seed: number;
  sends: number;
  faults: number;
  kinds: readonly FaultKind[];
  /** A needless retry can store again what a sabotage lost, and then nothing is lost. */
  retries: boolean;
  lastWords: boolean;
};

/** Builds in which one thing is wrong that the suite exists to find. */
export const sabotages = {
  'ack-before-commit': {
    what: 'the gateway acknowledges before PostgreSQL has confirmed the commit',
    patches: [
      {
        file: 'server/src/db/message/appendCall.ts',
        find: 'const { rows } = await connection.query<Row>({',
        put: "await connection.query('begin');\n      const { rows } = await connection.query<Row>({",
      },
      {
        file: 'server/src/db/message/appendCall.ts',
        find: '} as pg.QueryArrayConfig);',
        put: "} as pg.QueryArrayConfig).catch(async (error: unknown) => {\n        await connection.query('rollback');\n        throw error;\n      });",
      },
      {
        file: 'server/src/db/message/appender.ts',
        find: 'settle(batch, rows);',
        put: "settle(batch, rows);\n        await new Promise((done) => setTimeout(done, 50));\n        await this.#connection?.query('commit');",
      },
    ],
    sql: '',
    mustBreak: 'lost',
    seed: 11,
    sends: 1_500,
    faults: 4,
    kinds: ['PostgreSQL killed', 'gateway killed'],
    retries: false,
    lastWords: false,
  },

  'no-unique-key': {
    what: 'nothing keeps a repeated id from being stored again',
    patches: [],
    // The look-up goes with the key: the appender asks for it only when the key was violated.
    sql: 'alter table messages drop constraint messages_once',
    mustBreak: 'doubled',
    seed: 12,
    sends: 800,
    faults: 0,
    kinds: [],
    retries: true,
    lastWords: false,
  },

  'no-gap-fill': {
    what: 'a gateway neither fills gaps in what it hears nor looks for what it did not hear',
    patches: [
      {
        file: 'server/src/live/room.ts',
        find: 'else this.catchUp();',
        put: 'else this.#pass(seq, frame, id);',
      },
      {
        file: 'server/src/live/rooms.ts',
        find: 'if (member.room.head < access.conversation.head) member.room.catchUp();',
        put: '',
      },
      { file: 'server/src/live/sweep.ts', find: 'if (room.head < head) room.catchUp();', put: '' },
    ],
    sql: '',
    mustBreak: 'devices',
    seed: 13,
    sends: 800,
    faults: 2,
    kinds: ['NATS killed', 'NATS partitioned'],
    retries: true,
    lastWords: true,
  },

  'look-up-before-lock': {
    what: 'repeats are looked up in a snapshot from before the lock, and a repeat that was missed is skipped',
    patches: [],
    sql: lookUpBeforeLock,
    mustBreak: 'heads',
    seed: 14,
    sends: 1_200,
    faults: 2,
    kinds: ['gateway stopped'],
    retries: true,
    lastWords: false,
  },
} as const satisfies Record<string, Sabotage>;

export type SabotageName = keyof typeof sabotages;
