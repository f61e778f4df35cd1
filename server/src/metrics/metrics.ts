import type { CallName } from '@settee/protocol/calls/http';

/**
 * What is counted and timed. Whoever does the work calls these; only adapters/prometheus.ts knows who reads them. Every
 * label is one of the words below, never what a person or a client said: see docs/operate.md.
 */
export interface Metrics {
  /** A send over a socket, from its turn to its answer. On every message's path: must cost next to nothing. */
  sent(outcome: SendOutcome, seconds: number): void;
  /** One call that stores a batch. */
  appended(messages: number, seconds: number): void;
  /** Messages of which nobody knows whether they are stored, until they come again. */
  unconfirmed(messages: number): void;
  /** A message was written to a socket that watches. On every message's path. */
  received(seconds: number): void;
  hint(direction: HintDirection): void;
  socketOpened(kind: SocketKind): void;
  socketClosed(kind: SocketKind | undefined, reason: ClosedReason): void;
  swept(what: Swept, count: number): void;
  push(result: PushResult): void;
  job(task: TaskName, result: JobResult, seconds: number): void;
  http(call: CallName | 'page', status: number, seconds: number): void;
  /** Says, whenever somebody asks, whether the line to the bus stands. */
  watchBus(isConnected: () => boolean): void;
  /** The same for connections to PostgreSQL; several pools are added up. */
  watchConnections(count: () => Connections): void;
}

export type SendOutcome = 'acknowledged' | 'refused' | 'unknown';
export type HintDirection = 'in' | 'out';
export type SocketKind = 'visitor' | 'handler' | 'admin';
export type Swept = 'message' | 'change' | 'erased' | 'note' | 'queue_row';
export type PushResult = 'sent' | 'gone' | 'retried' | 'given_up';
export type JobResult = 'done' | 'failed' | 'given_up';
export type Connections = { idle: number; busy: number; waiting: number };

/** The jobs there are. What a later release, or another program, queues in the same tables has no name here. */
export const taskNames = [
  'push',
  'processMedia',
  'removeMedia',
  'finishErasure',
  'endBlocks',
  'foldFigures',
  'purgeExpired',
  'eraseExpired',
  'sweepMedia',
  'sweepErasures',
  'updateUsualReply',
] as const;
export type TaskName = (typeof taskNames)[number];

/** Why a socket ended: what we said when we closed it, or what the other side did. */
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
