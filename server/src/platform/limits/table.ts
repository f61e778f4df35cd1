import type { CallRate } from '@settee/protocol/calls/rates';
import type { Up } from '@settee/protocol/frames/up';
import type { Config } from '../config/config.ts';

/**
 * Every rate limit. docs/security.md shows these tables; `npm run api` writes them. A rate of a call, or a frame,
 * without an entry does not compile.
 */

/** Whose uses are counted together. An IPv6 address counts by its /64 network. */
export type Subject =
  | 'address'
  | 'e-mail address'
  | 'person'
  | 'key'
  | 'conversation'
  | 'account and address'
  | 'installation';

export type Rate = {
  what: string;
  per: Subject;
  /** A number, multiplied by LIMIT_FACTOR unless an action counts; or the setting that has it. */
  count: number | 'lookupsPerMinute' | 'codesPerHour';
  seconds: number;
  /** Counts bytes, not uses. */
  bytes?: true;
  /**
   * Counted by an action, which knows the account, or that the attempt counts at all; and in PostgreSQL, for all gateways
   * together. The others are counted before the action, in the memory of each gateway.
   */
  byAction?: true;
};

function attempts<const R extends Omit<Rate, 'byAction'>>(rate: R) {
  return { ...rate, byAction: true } as const;
}

const MINUTE = 60;
const QUARTER = 15 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MEBIBYTE = 1_048_576;

export const rates = {
  // For every request, before its body is read.
  calls: { what: 'HTTP requests', per: 'address', count: 6_000, seconds: MINUTE },
  bodyBytes: { what: 'bytes in bodies', per: 'address', count: 256 * MEBIBYTE, seconds: MINUTE, bytes: true },

  // Without an ID token.
  strangerCalls: { what: 'calls without an ID token', per: 'address', count: 600, seconds: MINUTE },
  newVisitors: { what: 'anonymous sign-ins', per: 'address', count: 120, seconds: MINUTE },
  claims: { what: 'uses of an invite', per: 'address', count: 120, seconds: MINUTE },
  lookups: { what: 'lookups of a link', per: 'address', count: 'lookupsPerMinute', seconds: MINUTE },

  // Visitors, and staff who use the same calls.
  chatReads: { what: 'reads in conversations', per: 'person', count: 600, seconds: MINUTE },
  chatWrites: { what: 'changes in conversations', per: 'person', count: 120, seconds: MINUTE },
  renames: { what: 'changes of a visitor’s name', per: 'person', count: 10, seconds: MINUTE },
  renewals: { what: 'new continue codes', per: 'conversation', count: 10, seconds: MINUTE },
  uploads: { what: 'upload calls', per: 'person', count: 120, seconds: MINUTE },
  exports: { what: 'export calls', per: 'person', count: 300, seconds: MINUTE },
  erasures: { what: 'deletions of a conversation', per: 'person', count: 5, seconds: MINUTE },
  // Per person, not per subscription: a browser can make new ones, and each test makes us connect.
  pushTests: attempts({ what: 'test notifications', per: 'person', count: 1, seconds: 10 }),

  // Every code is a mail to an address that a visitor entered.
  mailsPerDevice: attempts({ what: 'codes by e-mail', per: 'person', count: 5, seconds: HOUR }),
  mailsPerChat: attempts({ what: 'codes by e-mail', per: 'conversation', count: 5, seconds: HOUR }),
  mailsPerChatDay: attempts({ what: 'codes by e-mail', per: 'conversation', count: 10, seconds: DAY }),
  mailsPerAddress: attempts({ what: 'codes by e-mail', per: 'e-mail address', count: 3, seconds: HOUR }),
  mailsPerAddressDay: attempts({ what: 'codes by e-mail', per: 'e-mail address', count: 5, seconds: DAY }),
  mailsPerDay: attempts({ what: 'codes by e-mail', per: 'installation', count: 2_000, seconds: DAY }),
  // Five of these are wrong for one code. Guessing for a day succeeds with less than 0.003 %.
  mailCodes: attempts({ what: 'entered codes from an e-mail', per: 'conversation', count: 25, seconds: DAY }),

  // Staff.
  staffReads: { what: 'reads by staff', per: 'person', count: 1_200, seconds: MINUTE },
  staffWrites: { what: 'changes by staff', per: 'person', count: 600, seconds: MINUTE },
  searches: { what: 'searches', per: 'person', count: 240, seconds: MINUTE },

  // API keys, beside the limits of staff for the same calls.
  keyReads: { what: 'reads with an API key', per: 'key', count: 600, seconds: MINUTE },
  keyWrites: { what: 'changes with an API key', per: 'key', count: 120, seconds: MINUTE },

  // Guessing. Shared, so that more gateways do not allow more guesses.
  codes: attempts({ what: 'continue codes', per: 'address', count: 'codesPerHour', seconds: HOUR }),
  linkcodes: attempts({ what: 'continue codes', per: 'conversation', count: 30, seconds: DAY }),
  account: attempts({ what: 'failed sign-ins', per: 'account and address', count: 5, seconds: QUARTER }),
  address: attempts({ what: 'failed sign-ins', per: 'address', count: 50, seconds: QUARTER }),
  setup: attempts({ what: 'setup codes', per: 'address', count: 10, seconds: QUARTER }),
  // This limits load, not guessing: the code has 80 bits.
  setups: attempts({ what: 'setup codes', per: 'installation', count: 300, seconds: QUARTER }),
  factor: attempts({ what: 'wrong second factors', per: 'person', count: 5, seconds: QUARTER }),
  // Three of a million codes are valid at a time: guessing for 100 days succeeds with less than 1 %.
  factorday: attempts({ what: 'wrong second factors', per: 'person', count: 30, seconds: DAY }),
  factoraddress: attempts({ what: 'wrong second factors', per: 'address', count: 50, seconds: QUARTER }),
  ownpassword: attempts({ what: 'wrong own passwords', per: 'person', count: 5, seconds: QUARTER }),
  // Strangers must not fill a log that nobody can prune.
  noted: attempts({ what: 'failed sign-ins in the audit log', per: 'person', count: 5, seconds: HOUR }),
} as const satisfies Record<CallRate, Rate> & Record<string, Rate>;

export type RateName = keyof typeof rates;

/** What a refusal and a security event name. `stranger` is the growing wait in staff/signIn/strangerDelay.ts. */
export type LimitName = RateName | 'stranger';

/**
 * Each socket has a budget of points, multiplied by LIMIT_FACTOR. A frame costs points by its type and one point per KiB. A socket without points is
 * paused until it has earned them, so a flood waits in the sender's own buffers.
 */
export const socketBudgets = {
  visitor: { burst: 600, perSecond: 30 },
  staff: { burst: 6_000, perSecond: 300 },
  /** For all visitors of an address together. */
  address: { burst: 12_000, perSecond: 600 },
} as const;

/** An answer with messages costs one more point for this many bytes. */
export const ANSWER_BYTES_PER_POINT = 4_096;

/** Points by type of frame. `invalid` is a frame that no client of ours sends; `refused` is added to a refused send. */
export const frameCosts = {
  hello: 1,
  ping: 1,
  typing: 2,
  seen: 3,
  attend: 2,
  send: 1,
  sendMedia: 2,
  range: 10,
  watch: 10,
  unwatch: 1,
  watchQueue: 20,
  queuePage: 20,
  watchManagement: 20,
  renew: 20,
  invalid: 20,
  refused: 5,
} as const satisfies Record<Up['type'] | 'invalid' | 'refused', number>;

/** New and open sockets; the counts are multiplied by LIMIT_FACTOR. An upgrade beyond a limit is refused with 429 or 503 and Retry-After. */
export const upgradeLimits = {
  /** Upgrades per address and minute. */
  perMinute: 300,
  /** Open sockets per address. */
  open: 500,
  /** Sockets per address that have not sent a valid hello. */
  withoutHello: 50,
  /** Sockets of a gateway that have not sent a valid hello. */
  withoutHelloTotal: 2_000,
  /** Bytes of frames that wait for an earlier frame of their socket, in a gateway. */
  waitingBytesTotal: 32 * MEBIBYTE,
  /** Bytes that a gateway holds for sockets that read slowly or are paused. */
  heldBytesTotal: 64 * MEBIBYTE,
} as const;

/** Connections of a gateway that have no complete request yet. */
export const connectionLimits = {
  /** Connections that are read at the same time. The next ones wait. */
  reading: 64,
  /** Connections that wait to be read. Further ones are refused with 503. */
  waiting: 2_000,
  /**
   * Both of one address and those with an unfinished request, multiplied by LIMIT_FACTOR. Further ones are refused with 503.
   * Not for trusted proxies.
   */
  perAddress: 200,
  /** Seconds until a request must have arrived, except uploads. */
  requestSeconds: 30,
} as const;

/** Reads of visitors over sockets, in a gateway. */
export const visitorReadLimits = {
  /** The part of the database connections that they use at once. */
  share: 0.2,
  /** If a read would wait longer, it is refused. */
  waitMaxMs: 1_000,
} as const;

/** The number of uses that a rate allows in this installation. */
export function countOf(rate: Rate, config: Config): number {
  if (typeof rate.count !== 'number') return config[rate.count];
  return rate.byAction === true ? rate.count : rate.count * config.limitFactor;
}
