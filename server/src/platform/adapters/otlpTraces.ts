import { randomUUID } from 'node:crypto';
import {
  type Attributes,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { withTimeout } from '../limits/concurrency.ts';
import type { Log } from '../log/log.ts';
import type { Span, Traces } from '../ports/ports.ts';

/** Spans waiting for the collector. More are dropped, to save memory. */
export const QUEUE_MAX = 2_048;
export const BATCH_MAX = 512;
const COLLECT_MS = 1_000;
const EXPORT_TIMEOUT_MS = 5_000;
/** Longer than the exporter's own timeout, so that there is never more than one export at a time. */
const BATCH_TIMEOUT_MS = EXPORT_TIMEOUT_MS + 1_000;
/** How long a stopping gateway waits for the collector. */
const CLOSE_MS = 2_000;

/** The last 32 bits of an id decide whether it is sampled. They are random in every UUID version that pages use. */
const ID_TAIL = 8;
const ID_TAILS = 2 ** 32;

/** Sends spans over OTLP/HTTP, in batches, in the background. */
export function otlpTraces({ url, share }: { url: string; share: number }, log: Log): Traces {
  const ids = new PresetIds();
  const exporter = logFailures(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS }), log);
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'settee', 'service.instance.id': randomUUID() }),
    // isSampled has already decided.
    sampler: new AlwaysOnSampler(),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor(exporter, {
        maxQueueSize: QUEUE_MAX,
        maxExportBatchSize: BATCH_MAX,
        scheduledDelayMillis: COLLECT_MS,
        exportTimeoutMillis: BATCH_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('settee');

  const record = (span: Span, parent: Context): void => {
    const { name, start, end, children = [] } = span;
    const recorded = tracer.startSpan(name, { startTime: start, attributes: attributesOf(span) }, parent);
    ids.next = undefined;
    recorded.end(end);
    for (const child of children) record(child, trace.setSpan(parent, recorded));
  };

  return {
    isSampled: (messageId) => Number.parseInt(messageId.slice(-ID_TAIL), 16) < share * ID_TAILS,
    record(messageId, span) {
      const root = rootOf(messageId);
      // A client may send an id that is not a valid trace id.
      if (!isSpanContextValid(root)) return;
      if (span.name === 'message') ids.next = root;
      record(span, span.name === 'message' ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, root));
    },
    async close() {
      await withTimeout(CLOSE_MS, provider.shutdown()).catch(() => {});
    },
  };
}

/** Derived from the id only, so that a gateway that delivers the message knows the parent span. */
function rootOf(messageId: string): SpanContext {
  const traceId = messageId.replaceAll('-', '');
  return { traceId, spanId: traceId.slice(0, 16), traceFlags: TraceFlags.SAMPLED };
}

function attributesOf({ side, outcome, batchSize, sockets, heard }: Span): Attributes {
  const all = { side, outcome, batch_size: batchSize, sockets, heard };
  return Object.fromEntries(
    Object.entries(all)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [`settee.${key}`, value]),
  );
}

/** Random ids, except for the root span of a message: its ids are set just before it is created. */
class PresetIds implements IdGenerator {
  next: { traceId: string; spanId: string } | undefined;
  readonly #random = new RandomIdGenerator();

  generateSpanId(): string {
    return this.next?.spanId ?? this.#random.generateSpanId();
  }

  generateTraceId(): string {
    return this.next?.traceId ?? this.#random.generateTraceId();
  }
}

/** Logs once when exports begin to fail, and once when they work again. */
function logFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let failing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed !== failing) {
          failing = failed;
          if (failed) log.warn({}, 'the collector does not accept traces; dropping them');
          else log.info({}, 'the collector accepts traces again');
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
