import { createHmac } from 'node:crypto';
import type { CallName } from '@settee/protocol/calls/http';
import type { Up } from '@settee/protocol/frames/up';
import type { ErrorCode } from '@settee/protocol/model/errorCodes';
import { type DestinationStream, pino } from 'pino';
import { BadConfig, type Config } from '../config/config.ts';
import { keyFor } from '../config/keys.ts';
import type { LimitName } from '../limits/table.ts';
import type { ClosedReason } from '../metrics/metrics.ts';
import type { Clock } from '../ports/ports.ts';
import { type Log, reason } from './log.ts';

/** Equal events of this time become one line with a count, so that a flood does not fill the disk. */
const WINDOW_MS = 60_000;
/** Distinct events per window. Further ones are only counted. */
const DISTINCT_MAX = 10_000;
/** Of these, mistakes have at most this many, so that they cannot displace more important events. */
const DISTINCT_MISTAKES_MAX = 1_000;
const HASH_LENGTH = 16;

/** What a SIEM reads. docs/security-events.md lists events and fields. */
export type SecurityEvent = {
  event:
    | 'signed_in'
    | 'signed_out'
    | 'sign_in_failed'
    | 'password_changed'
    | 'code_refused'
    | 'unknown_link'
    | 'access_refused'
    | 'not_found'
    | 'invalid_input'
    | 'limit_reached'
    | 'socket_refused'
    | 'socket_closed';
  /** The client's address. It is written as a hash unless SECURITY_LOG_ADDRESSES is `full`. */
  address?: string | undefined;
  call?: CallName | undefined;
  frame?: Up['type'] | undefined;
  code?: ErrorCode | undefined;
  limit?: LimitName | undefined;
  staffId?: string | undefined;
  keyId?: string | undefined;
  reason?: ClosedReason | undefined;
  /** The HTTP status of a refused socket. */
  status?: number;
};

/** Refusals that an outdated page can cause too. An attacker who tries ids or inputs causes many. */
export const MISTAKES: Partial<Record<ErrorCode, 'not_found' | 'invalid_input'>> = {
  not_found: 'not_found',
  bad_request: 'invalid_input',
};
const MISTAKE_EVENTS: ReadonlySet<SecurityEvent['event']> = new Set(Object.values(MISTAKES));

export type SecurityLog = { record(event: SecurityEvent): void; flush(): void };

type Deps = {
  config: Pick<Config, 'secret' | 'securityLog' | 'securityLogAddresses'>;
  clock: Clock;
  log: Log;
};

/**
 * Writes the first of equal events at once, and the number of further ones after a minute. While it cannot write, for
 * example because the disk is full, it counts the lost events, and tries again every minute.
 */
export function openSecurityLog({ config, clock, log }: Deps, to?: DestinationStream): SecurityLog {
  if (config.securityLog === 'off') return silentSecurityLog;
  let problem: unknown;
  const destination =
    to ??
    openDestination(config.securityLog, (error) => {
      problem = error;
    });
  const timestamp = pino.stdTimeFunctions.isoTime;
  const out = pino({ base: { stream: 'security' }, messageKey: 'event', timestamp }, destination);
  const repeated = new Map<string, { event: SecurityEvent; count: number }>();
  let mistakes = 0;
  let uncounted = 0;
  let isFailing = false;
  /** The destination keeps a line that it could not write, and writes it before the next one. */
  const attempt = (writeLine: () => void): void => {
    problem = undefined;
    try {
      writeLine();
    } catch (error) {
      problem = error;
    }
    const failed = problem !== undefined;
    if (failed && !isFailing) log.error({ reason: reason(problem) }, 'security events cannot be written');
    if (!failed && isFailing) log.info({}, 'security events are written again');
    isFailing = failed;
  };
  const write = ({ event, ...fields }: SecurityEvent, count?: number): void => {
    if (isFailing) uncounted += count ?? 1;
    else attempt(() => out.info({ ...fields, count }, event));
  };
  const flush = (): void => {
    for (const { event, count } of repeated.values()) if (count > 0) write(event, count);
    if (uncounted > 0) attempt(() => out.warn({ count: uncounted }, 'events_dropped'));
    repeated.clear();
    mistakes = 0;
    uncounted = 0;
  };
  setInterval(flush, WINDOW_MS).unref();
  return {
    record(given) {
      const event = { ...given, address: given.address && addressField(config, clock, given.address) };
      const key = JSON.stringify(event);
      const known = repeated.get(key);
      const isMistake = MISTAKE_EVENTS.has(event.event);
      if (known !== undefined) known.count += 1;
      else if (repeated.size >= DISTINCT_MAX || (isMistake && mistakes >= DISTINCT_MISTAKES_MAX))
        uncounted += 1;
      else {
        if (isMistake) mistakes += 1;
        repeated.set(key, { event, count: 0 });
        write(event);
      }
    },
    flush,
  };
}

/** Without a listener, an error would end the process. */
function openDestination(securityLog: string, onError: (error: Error) => void): DestinationStream {
  const dest = securityLog === 'stdout' ? 1 : securityLog;
  try {
    return pino.destination({ dest, mkdir: true, sync: true }).on('error', onError);
  } catch (error) {
    throw new BadConfig([`SECURITY_LOG is a file that cannot be opened: ${(error as Error).message}`]);
  }
}

/** For tests and tools. */
export const silentSecurityLog: SecurityLog = { record: () => {}, flush: () => {} };

/** With another hash every day, so that nobody can be followed for longer. */
function addressField(config: Deps['config'], clock: Clock, address: string): string {
  if (config.securityLogAddresses === 'full') return address;
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const hash = createHmac('sha256', keyFor(config, 'address in the security log'));
  return hash.update(`${day} ${address}`).digest('base64url').slice(0, HASH_LENGTH);
}
