import type { CallName } from '@settee/protocol/calls/http';
import type { MailKind, MailOutcome } from '@settee/protocol/model/mail';

/**
 * Everything that is counted and timed; private/prometheus.adapter.ts exports it. A label has one of the values below, never
 * input from a client: see docs/operate.md.
 */
export interface Metrics {
  /** A send over a socket until its answer. Called for every message, so it must be cheap. */
  sent(outcome: SendOutcome, seconds: number): void;
  /** One call that stored a batch. */
  appended(messages: number, seconds: number): void;
  /** Messages with an unknown outcome. Their senders repeat them. */
  unconfirmed(messages: number): void;
  /** A message was written to a watching socket. Called for every message. */
  received(seconds: number): void;
  hint(direction: HintDirection): void;
  socketOpened(kind: SocketKind): void;
  socketClosed(kind: SocketKind | undefined, reason: ClosedReason): void;
  swept(what: SweepFinding, count: number): void;
  push(result: PushResult): void;
  mail(kind: MailKind, outcome: MailOutcome): void;
  job(task: TaskName, result: JobResult, seconds: number): void;
  http(call: CallName | 'page', status: number, seconds: number): void;
  /** Registers a gauge for the connection to the bus. */
  watchBus(isConnected: () => boolean): void;
  /** Registers a connection pool. Several pools are added up. */
  watchConnections(count: () => Connections): void;
}

export type SendOutcome = 'acknowledged' | 'refused' | 'unknown';
export type HintDirection = 'in' | 'out';
export type SocketKind = 'visitor' | 'handler' | 'admin';
export type SweepFinding = 'message' | 'change' | 'erased' | 'note' | 'queue_row';
export type PushResult = 'sent' | 'gone' | 'retried' | 'given_up';
export type JobResult = 'done' | 'failed' | 'given_up';
export type Connections = { idle: number; busy: number; waiting: number };

/** All jobs. Jobs of a later release or another program have no name here. */
export const taskNames = [
  'push',
  'mail',
  'processMedia',
  'removeMedia',
  'finishErasure',
  'endBlocks',
  'anchorAudit',
  'foldFigures',
  'mergeInviteCounts',
  'purgeExpired',
  'checkSearchIndex',
  'eraseExpired',
  'sweepMedia',
  'sweepErasures',
  'updateUsualReply',
] as const;
export type TaskName = (typeof taskNames)[number];

/** Why a socket closed. */
export const closedReasons = [
  'left',
  'lost',
  'silent',
  'slow_reader',
  'restarting',
  'no_hello',
  'hello_expected',
  'outdated',
  'unauthenticated',
  'signed_out',
  'too_many_sockets',
  'too_many_frames',
  'try_later',
  'out_of_step',
  'token_expired',
  'role_changed',
] as const;
export type ClosedReason = (typeof closedReasons)[number];
