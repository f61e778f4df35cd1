import { ackBeforeCommit } from '../proof/ackBeforeCommit.ts';
import type { Property } from '../proof/checker.ts';
import type { Patch } from '../proof/patch.ts';
import type { FaultKind } from './faults.ts';
import { lookUpBeforeLock } from './lookUpBeforeLock.ts';

export type Sabotage = {
  what: string;
  patches: Patch[];
  /** Runs on the migrated database. */
  sql: string;
  /** The property that must break. Another failure proves nothing. */
  mustBreak: Property;
  seed: number;
  sends: number;
  faults: number;
  kinds: readonly FaultKind[];
  /** Off where a retry would store again what the sabotage lost. */
  retries: number;
  finalMessages: boolean;
  watch: boolean;
};

/** Builds with one fault each, which the suite must find. */
export const sabotages = {
  'ack-before-commit': {
    what: 'the gateway acknowledges before PostgreSQL has confirmed the commit',
    patches: [ackBeforeCommit(50)],
    sql: '',
    mustBreak: 'lost',
    seed: 11,
    sends: 1_500,
    faults: 4,
    kinds: ['PostgreSQL killed', 'gateway killed'],
    retries: 0,
    finalMessages: false,
    watch: false,
  },

  'no-unique-key': {
    what: 'a repeated id is stored again',
    patches: [],
    // The appender looks up a repeated id only when the key is violated.
    sql: 'alter table messages drop constraint messages_once',
    mustBreak: 'duplicates',
    seed: 12,
    sends: 800,
    faults: 0,
    kinds: [],
    retries: 1,
    finalMessages: false,
    watch: false,
  },

  'no-gap-fill': {
    what: 'a gateway neither fills gaps nor sweeps for missed messages',
    patches: [
      {
        file: 'server/src/live/room.ts',
        find: 'if ($IS_NEXT) $DELIVER; else $FILL_GAP;',
        within: 'receive',
        put: '$DELIVER;',
      },
      { file: 'server/src/live/rooms.ts', find: 'if ($OLD.head < $NEW.head) $ROOM.catchUp();', put: '' },
      { file: 'server/src/live/sweep.ts', find: 'if ($OLD.head < $HEAD) $ROOM.catchUp();', put: '' },
    ],
    sql: '',
    mustBreak: 'devices',
    seed: 13,
    sends: 800,
    faults: 2,
    kinds: ['NATS killed', 'NATS partitioned'],
    retries: 1,
    finalMessages: true,
    watch: false,
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
    retries: 1,
    finalMessages: false,
    watch: false,
  },

  'unread-kept': {
    what: 'a seen mark does not reset the unread count',
    patches: [],
    sql: `
      create function keep_unread() returns trigger language plpgsql as $$
      begin
        new.unread := old.unread;
        return new;
      end $$;
      create trigger keep_unread before update on conversations for each row
      when (new.unread < old.unread) execute function keep_unread()`,
    mustBreak: 'unread',
    seed: 15,
    sends: 2_400,
    faults: 0,
    kinds: [],
    retries: 0,
    finalMessages: false,
    watch: false,
  },

  'sockets-kept': {
    what: 'a gateway does not close the sockets of a session that was signed out',
    patches: [
      {
        file: 'server/src/live/sweep.ts',
        find: "$CONNECTION.closeForGood('signed_out');",
        put: '{}',
      },
    ],
    sql: '',
    mustBreak: 'revocation',
    seed: 16,
    sends: 800,
    faults: 0,
    kinds: [],
    retries: 0,
    finalMessages: false,
    watch: true,
  },
} as const satisfies Record<string, Sabotage>;

export type SabotageName = keyof typeof sabotages;
