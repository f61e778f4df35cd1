import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import { MAIL_KINDS, MAIL_OUTCOMES } from '@settee/protocol/model/mail';
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import { RELEASE } from '../platform/config/release.ts';
import { Distribution } from '../platform/metrics/distribution.ts';
import {
  type Connections,
  type JobResult,
  type Metrics,
  type SendOutcome,
  type SocketKind,
  taskNames,
} from '../platform/metrics/metrics.ts';
import type { Backlog } from './backlog.store.ts';
import { backlogGauges } from './backlogGauges.ts';

/** Finest around the promised figures: an ack, and receipt within 250 ms for 99 %. */
const MESSAGE_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.175, 0.25, 0.5, 1, 2, 5, 10];
const CALL_SECONDS = [0.01, 0.05, 0.1, 0.25, 1, 5, 15];
const JOB_SECONDS = [0.01, 0.05, 0.25, 1, 5, 15, 60];
/** The largest batch has 100. */
const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100];

const KINDS = ['visitor', 'handler', 'admin'] as const satisfies SocketKind[];
const JOB_RESULTS = ['done', 'failed', 'given_up'] as const satisfies JobResult[];

/** `backlog` is undefined when PostgreSQL does not answer. */
export type PrometheusMetrics = Metrics & {
  text(backlog: Backlog | undefined): Promise<string>;
  contentType: string;
};

export function prometheusMetrics(): PrometheusMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const showBacklog = backlogGauges(registers);
  return {
    ...messageMetrics(registry),
    ...liveMetrics(registers),
    ...workMetrics(registers),
    ...watched(registers),
    contentType: registry.contentType,
    text(backlog) {
      showBacklog(backlog);
      return registry.metrics();
    },
  };
}

function messageMetrics(registry: Registry) {
  const sends: Record<SendOutcome, Distribution> = {
    acknowledged: new Distribution(MESSAGE_SECONDS),
    refused: new Distribution(MESSAGE_SECONDS),
    unknown: new Distribution(MESSAGE_SECONDS),
  };
  const receipts = new Distribution(MESSAGE_SECONDS);
  const batchSeconds = new Distribution(MESSAGE_SECONDS);
  const batchSizes = new Distribution(BATCH_SIZES);
  const hints = { in: 0, out: 0 };
  let unconfirmed = 0;
  register(registry, 'histogram', {
    name: 'settee_send_seconds',
    help: 'A send over a socket until its answer. outcome: acknowledged, refused, or unknown (it may be stored; the sender repeats it). Sends over HTTP are in settee_http_seconds.',
    read: (name) => Object.entries(sends).flatMap(([outcome, each]) => bucketsOf(name, each, { outcome })),
  });
  register(registry, 'histogram', {
    name: 'settee_receipt_seconds',
    help: 'From the time that PostgreSQL gave a message, just before the commit, until it is written to a watching socket; once per socket. Measured with the clock of PostgreSQL, which each gateway samples every 10 s. The error is at most half of the shortest round trip.',
    read: (name) => bucketsOf(name, receipts),
  });
  register(registry, 'histogram', {
    name: 'settee_append_seconds',
    help: 'One call to PostgreSQL that stores a batch of messages.',
    read: (name) => bucketsOf(name, batchSeconds),
  });
  register(registry, 'histogram', {
    name: 'settee_append_batch_size',
    help: 'Messages in one such call.',
    read: (name) => bucketsOf(name, batchSizes),
  });
  register(registry, 'counter', {
    name: 'settee_appends_unconfirmed_total',
    help: 'Messages with an unknown outcome. They are answered with unavailable, and the sender repeats them.',
    read: (metricName) => [{ metricName, labels: {}, value: unconfirmed }],
  });
  register(registry, 'counter', {
    name: 'settee_hints_total',
    help: 'Hints between gateways. direction: in, out.',
    read: (metricName) =>
      Object.entries(hints).map(([direction, value]) => ({ metricName, labels: { direction }, value })),
  });
  return {
    sent: (outcome, seconds) => sends[outcome].observe(seconds),
    received: (seconds) => receipts.observe(seconds),
    appended(messages, seconds) {
      batchSizes.observe(messages);
      batchSeconds.observe(seconds);
    },
    unconfirmed(messages) {
      unconfirmed += messages;
    },
    hint(direction) {
      hints[direction] += 1;
    },
  } satisfies Partial<Metrics>;
}

function liveMetrics(registers: Registry[]) {
  const sockets = new Gauge({
    name: 'settee_sockets',
    help: 'Sockets whose hello was accepted. kind: visitor, handler (the console), admin (the admin area).',
    labelNames: ['kind'],
    registers,
  });
  for (const kind of KINDS) sockets.set({ kind }, 0);
  const closed = new Counter({
    name: 'settee_sockets_closed_total',
    help: 'Closed sockets. reason: why the server closed it, or left (closed by the client), lost (connection broke), silent (no answer to pings), slow_reader (over 1 MiB unread).',
    labelNames: ['reason'],
    registers,
  });
  const swept = new Counter({
    name: 'settee_sweep_found_total',
    help: 'Changes without a hint that the sweep found in PostgreSQL. what: message and note (over a second old), change, erased, queue_row. In normal operation message and note stay at zero; the others also count changes that may not have been missed.',
    labelNames: ['what'],
    registers,
  });
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

function workMetrics(registers: Registry[]) {
  const push = new Counter({
    name: 'settee_push_total',
    help: 'Notifications handed to push services. result: sent, gone (the browser ended the subscription), retried, given_up.',
    labelNames: ['result'],
    registers,
  });
  for (const result of ['sent', 'gone', 'retried', 'given_up']) push.inc({ result }, 0);
  const mail = new Counter({
    name: 'settee_mail_total',
    help: 'Mails handed to the mail server. outcome: sent, deferred (tried again later), refused (the address does not exist), given_up.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  for (const kind of MAIL_KINDS) for (const outcome of MAIL_OUTCOMES) mail.inc({ kind, outcome }, 0);
  const jobs = new Counter({
    name: 'settee_jobs_total',
    help: 'Jobs processed by this process. result: done, failed (retried later), given_up.',
    labelNames: ['task', 'result'],
    registers,
  });
  // Start at 0: for Prometheus a counter that appears with 1 has not increased, and no alert would fire.
  for (const task of taskNames) for (const result of JOB_RESULTS) jobs.inc({ task, result }, 0);
  const jobSeconds = new Histogram({
    name: 'settee_job_seconds',
    help: 'How long a job took.',
    labelNames: ['task'],
    buckets: JOB_SECONDS,
    registers,
  });
  const calls = new Histogram({
    name: 'settee_http_seconds',
    help: "A request until its answer. call: the call's name as in docs/protocol.md, or page for everything else.",
    labelNames: ['call', 'status'],
    buckets: CALL_SECONDS,
    registers,
  });
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

/** Gauges that are evaluated at the time of reading. */
function watched(registers: Registry[]) {
  const pools: (() => Connections)[] = [];
  new Gauge({
    name: 'settee_database_connections',
    help: 'Connections of this process to PostgreSQL, without those that store messages. state: idle, busy, and waiting (callers that wait for one).',
    labelNames: ['state'],
    registers,
    collect() {
      const counts = pools.map((count) => count());
      for (const state of ['idle', 'busy', 'waiting'] as const)
        this.set(
          { state },
          counts.reduce((sum, pool) => sum + pool[state], 0),
        );
    },
  });
  new Gauge({
    name: 'settee_build_info',
    help: 'Always 1. version: the release; protocol: the protocol version.',
    labelNames: ['version', 'protocol'],
    registers,
  }).set({ version: RELEASE, protocol: PROTOCOL_VERSION }, 1);
  return {
    watchConnections: (count) => void pools.push(count),
    watchBus(isConnected) {
      new Gauge({
        name: 'settee_bus_connected',
        help: '1 while connected to NATS; 0 while only the sweep finds changes of other gateways.',
        registers,
        collect() {
          this.set(isConnected() ? 1 : 0);
        },
      });
    },
  } satisfies Partial<Metrics>;
}

type Sample = { metricName: string; labels: Record<string, string | number>; value: number };

/** Registers a metric that we count ourselves. prom-client only reads it. */
function register(
  registry: Registry,
  type: 'histogram' | 'counter',
  { name, help, read }: { name: string; help: string; read: (name: string) => Sample[] },
): void {
  const get = async () => ({ name, help, type, values: read(name), aggregator: 'sum' });
  // A registry calls nothing else of a metric.
  registry.registerMetric({ name, help, get } as unknown as Metric<string>);
}

function bucketsOf(name: string, of: Distribution, labels: Record<string, string> = {}): Sample[] {
  const { sum, count, upTo } = of.read();
  return [
    ...upTo.map((each) => ({
      metricName: `${name}_bucket`,
      labels: { le: each.bound, ...labels },
      value: each.count,
    })),
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
