import type { ClosedReason } from '../metrics/metrics.ts';

/** What a socket is told when we close it, and under which word that is counted. */
const WORDS = {
  restarting: 'restarting',
  outdated: 'outdated',
  unauthenticated: 'unauthenticated',
  signed_out: 'signed_out',
  too_many_sockets: 'too_many_sockets',
  'no hello': 'no_hello',
  'hello expected': 'hello_expected',
  'too many frames': 'too_many_frames',
  'try later': 'try_later',
  'out of step': 'out_of_step',
  'token expired': 'token_expired',
  'role changed': 'role_changed',
} as const satisfies Record<string, ClosedReason>;

export type Said = keyof typeof WORDS;

export function wordFor(said: Said): ClosedReason {
  return WORDS[said];
}

/** Normal closure, a page that goes away, and a close without a word; all else is a line that broke. */
const LEFT = new Set([1000, 1001, 1005]);

/** For a socket that we did not close. What its client said in closing is its own affair, and counted nowhere. */
export function endedByItself(code: number): ClosedReason {
  return LEFT.has(code) ? 'left' : 'lost';
}
