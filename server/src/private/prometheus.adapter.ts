import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import { MAIL_KINDS, MAIL_OUTCOMES } from '@settee/protocol/model/mail';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { RELEASE } from '../platform/config/release.ts';
import {
  type Connections,
  type JobResult,
  type Metrics,
  type SendOutcome,
  type SocketKind,
  taskNames,
} from '../platform/metrics/metrics.ts';
import type { Backlog } from './backlog.store.ts';

/** Finest around the promised figures: an ack, and receipt within 250 ms for 99 %. */
const MESSAGE_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.175, 0.25, 0.5, 1, 2, 5, 10];
const CALL_SECONDS = [0.01, 0.05, 0.1, 0.25, 1, 5, 15];
const JOB_SECONDS = [0.01, 0.05, 0.25, 1, 5, 15, 60];
/** The largest batch has 100. */
const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100];

const KINDS = ['visitor', 'handler', 'admin'] as const satisfies SocketKind[];
const SEND_OUTCOMES = ['acknowledged', 'refused', 'unknown'] as const satisfies SendOutcome[];
const JOB_RESULTS = ['done', 'failed', 'given_up'] as const satisfies JobResult[];

/** `backlog` is undefined when PostgreSQL does not answer. */
export type PrometheusMetrics = Metrics & {
  text(backlog: Backlog | undefined): Promise<string>;
  contentType: string;
};

export function prometheusMetrics(): PrometheusMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const make = makers(registry);
  const showBacklog = backlogGauges(make);
  return {
    ...messageMetrics(make),
    ...liveMetrics(make),
    ...workMetrics(make),
    ...watched(make),
    contentType: registry.contentType,
    text(backlog) {
      showBacklog(backlog);
      return registry.metrics();
    },
  };
}

type Make = ReturnType<typeof makers>;

function makers(registry: Registry) {
  const registers = [registry];
  return {
    counter: <L extends string>(name: string, help: string, labelNames: L[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <L extends string>(name: string, help: string, labelNames: L[] = []) =>
      new Gauge({ name, help, labelNames, registers }),
    /** Evaluated at the time of reading. */
    liveGauge: <L extends string>(
      name: string,
      help: string,
      { labelNames, read }: { labelNames: L[]; read(gauge: Gauge<L>): void },
    ) =>
      new Gauge({
        ...{ name, help, labelNames, registers },
        collect() {
          read(this);
        },
      }),
    histogram: <L extends string>(name: string, help: string, buckets: number[], labelNames: L[] = []) =>
      new Histogram({ name, help, buckets, labelNames, registers }),
  };
}

function messageMetrics({ counter, histogram }: Make) {
  const sends = histogram(
    'settee_send_seconds',
    'A send over a socket until its answer. outcome: acknowledged, refused, or unknown (it may be stored; the sender repeats it). Sends over HTTP are in settee_http_seconds.',
    MESSAGE_SECONDS,
    ['outcome'],
  );
  for (const outcome of SEND_OUTCOMES) sends.zero({ outcome });
  const receipts = histogram(
    'settee_receipt_seconds',
    'From the time that PostgreSQL gave a message, just before the commit, until it is written to a watching socket; once per socket. Measured with the clock of PostgreSQL, which each gateway samples every 10 s. The error is at most half of the shortest round trip.',
    MESSAGE_SECONDS,
  );
  const batchSeconds = histogram(
    'settee_append_seconds',
    'One call to PostgreSQL that stores a batch of messages.',
    MESSAGE_SECONDS,
  );
  const batchSizes = histogram('settee_append_batch_size', 'Messages in one such call.', BATCH_SIZES);
  const unconfirmed = counter(
    'settee_appends_unconfirmed_total',
    'Messages with an unknown outcome. They are answered with unavailable, and the sender repeats them.',
  );
  const hints = counter('settee_hints_total', 'Hints between gateways. direction: in, out.', ['direction']);
  for (const direction of ['in', 'out']) hints.inc({ direction }, 0);
  return {
    sent: (outcome, seconds) => sends.observe({ outcome }, seconds),
    received: (seconds) => receipts.observe(seconds),
    appended(messages, seconds) {
      batchSizes.observe(messages);
      batchSeconds.observe(seconds);
    },
    unconfirmed: (messages) => unconfirmed.inc(messages),
    hint: (direction) => hints.inc({ direction }),
  } satisfies Partial<Metrics>;
}

function liveMetrics({ counter, gauge }: Make) {
  const sockets = gauge(
    'settee_sockets',
    'Sockets whose hello was accepted. kind: visitor, handler (the console), admin (the admin area).',
    ['kind'],
  );
  for (const kind of KINDS) sockets.set({ kind }, 0);
  const closed = counter(
    'settee_sockets_closed_total',
    'Closed sockets. reason: why the server closed it, or left (closed by the client), lost (connection broke), silent (no answer to pings), slow_reader (over 1 MiB unread).',
    ['reason'],
  );
  const swept = counter(
    'settee_sweep_found_total',
    'Changes without a hint that the sweep found in PostgreSQL. what: message and note (over a second old), change, erased, queue_row. In normal operation message and note stay at zero; the others also count changes that may not have been missed.',
    ['what'],
  );
  for (const what of ['message', 'change', 'erased', 'note', 'queue_row']) swept.inc({ what }, 0);
  return {
    socketOpened: (kind) => sockets.inc({ kind }),
    socketClosed(kind, reason) {
      if (kind !== undefined) sockets.dec({ kind });
      closed.inc({ reason });
    },
    swept: (what, count) => swept.inc({ what }, count),
  } satisfies Partial<Metrics>;
}

function workMetrics({ counter, histogram }: Make) {
  const push = counter(
    'settee_push_total',
    'Notifications handed to push services. result: sent, gone (the browser ended the subscription), retried, given_up.',
    ['result'],
  );
  for (const result of ['sent', 'gone', 'retried', 'given_up']) push.inc({ result }, 0);
  const mail = counter(
    'settee_mail_total',
    'Mails handed to the mail server. outcome: sent, deferred (tried again later), refused (the address does not exist), given_up.',
    ['kind', 'outcome'],
  );
  for (const kind of MAIL_KINDS) for (const outcome of MAIL_OUTCOMES) mail.inc({ kind, outcome }, 0);
  const jobs = counter(
    'settee_jobs_total',
    'Jobs processed by this process. result: done, failed (retried later), given_up.',
    ['task', 'result'],
  );
  // Start at 0: for Prometheus a counter that appears with 1 has not increased, and no alert would fire.
  for (const task of taskNames) for (const result of JOB_RESULTS) jobs.inc({ task, result }, 0);
  const jobSeconds = histogram('settee_job_seconds', 'How long a job took.', JOB_SECONDS, ['task']);
  const calls = histogram(
    'settee_http_seconds',
    'A request until its answer. call: its name (operationId in the API description), or page for everything else.',
    CALL_SECONDS,
    ['call', 'status'],
  );
  return {
    push: (result) => push.inc({ result }),
    mail: (kind, outcome) => mail.inc({ kind, outcome }),
    job(task, result, seconds) {
      jobs.inc({ task, result });
      jobSeconds.observe({ task }, seconds);
    },
    http: (call, status, seconds) => calls.observe({ call, status }, seconds),
  } satisfies Partial<Metrics>;
}

function watched({ gauge, liveGauge }: Make) {
  const pools: (() => Connections)[] = [];
  liveGauge(
    'settee_database_connections',
    'Connections of this process to PostgreSQL, without those that store messages. state: idle, busy, and waiting (callers that wait for one).',
    {
      labelNames: ['state'],
      read(connections) {
        const counts = pools.map((count) => count());
        for (const state of ['idle', 'busy', 'waiting'] as const) {
          const sum = counts.reduce((total, pool) => total + pool[state], 0);
          connections.set({ state }, sum);
        }
      },
    },
  );
  const build = gauge(
    'settee_build_info',
    'Always 1. version: the release; protocol: the protocol version.',
    ['version', 'protocol'],
  );
  build.set({ version: RELEASE, protocol: PROTOCOL_VERSION }, 1);
  return {
    watchConnections: (count) => void pools.push(count),
    watchBus(isConnected) {
      liveGauge(
        'settee_bus_connected',
        '1 while connected to NATS; 0 while only the sweep finds changes of other gateways.',
        { labelNames: [], read: (bus) => bus.set(isConnected() ? 1 : 0) },
      );
    },
  } satisfies Partial<Metrics>;
}

const SAME =
  'Every process reports the same value: use the maximum, not the sum. Missing while PostgreSQL does not answer.';

/** Sets the gauges. They have no value while the backlog cannot be read. */
function backlogGauges({ gauge }: Make): (backlog: Backlog | undefined) => void {
  const waiting = gauge('settee_conversations_waiting', `Open conversations with a waiting visitor. ${SAME}`);
  const longest = gauge(
    'settee_longest_wait_seconds',
    `The longest wait of a visitor; 0 when nobody waits. ${SAME}`,
  );
  const jobs = gauge('settee_jobs_waiting', `Due jobs that no worker has taken. ${SAME}`, ['task']);
  const lag = gauge('settee_job_lag_seconds', `How long the oldest of these jobs has been due. ${SAME}`, [
    'task',
  ]);
  const webhooks = gauge(
    'settee_webhook_lag_seconds',
    `How long the oldest due event of an active webhook has waited for its next attempt; 0 when none is due. ${SAME}`,
  );
  const backup = gauge(
    'settee_last_backup_timestamp_seconds',
    `When \`settee backup\` made the newest backup that it verified, in seconds since 1970; 0 if there is none. ${SAME}`,
  );
  return (backlog) => {
    for (const each of [waiting, longest, webhooks, backup]) each.remove();
    jobs.reset();
    lag.reset();
    if (backlog === undefined) return;
    waiting.set(backlog.conversations);
    longest.set(backlog.longestWaitSeconds);
    webhooks.set(backlog.webhookLagSeconds);
    backup.set(backlog.backupAt);
    for (const task of taskNames) {
      const due = backlog.jobs.find((each) => each.task === task);
      jobs.set({ task }, due?.waiting ?? 0);
      lag.set({ task }, due?.lagSeconds ?? 0);
    }
  };
}
