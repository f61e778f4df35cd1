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
import type { Log } from '../log/log.ts';
import type { Span, Traces } from '../ports.ts';

/** Spans that may wait for a collector. More are dropped: traces are worth less than the memory of a gateway. */
export const QUEUE_MAX = 2_048;
export const BATCH_MAX = 512;
const COLLECT_MS = 1_000;
const EXPORT_TIMEOUT_MS = 5_000;
/** A little later than the exporter gives up by itself, so that there is never more than one export under way. */
const BATCH_TIMEOUT_MS = EXPORT_TIMEOUT_MS + 1_000;
/** How long a gateway that stops waits for the collector. */
const CLOSE_MS = 2_000;

/** Ids are compared with the share by their last 32 bits, which are random in every version of UUID that pages mint. */
const ID_TAIL = 8;
const ID_TAILS = 2 ** 32;

/** Sends spans by OTLP over HTTP, in batches, beside everything else. */
export function otlpTraces({ url, share }: { url: string; share: number }, log: Log): Traces {
  const ids = new GivenIds();
  const exporter = tellingOfFailure(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS }), log);
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'settee', 'service.instance.id': randomUUID() }),
    // The share was judged by the id, before anything was noted.
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

  const tell = (span: Span, within: Context): void => {
    const { name, start, end, children = [] } = span;
    const told = tracer.startSpan(name, { startTime: start, attributes: attributesOf(span) }, within);
    ids.next = undefined;
    told.end(end);
    for (const child of children) tell(child, trace.setSpan(within, told));
  };

  return {
    isSampled: (messageId) => Number.parseInt(messageId.slice(-ID_TAIL), 16) < share * ID_TAILS,
    record(messageId, span) {
      const root = rootOf(messageId);
      // A page can mint what it likes, also an id that is no trace's.
      if (!isSpanContextValid(root)) return;
      if (span.name === 'message') ids.next = root;
      tell(span, span.name === 'message' ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, root));
    },
    async close() {
      const done = provider.shutdown().catch(() => {});
      await Promise.race([done, new Promise((late) => setTimeout(late, CLOSE_MS).unref())]);
    },
  };
}

/** From the id alone, so that a gateway which only passes a message on knows what its span is a child of. */
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

/** Random ids, but for a message's own span, whose ids are given just before it is made. */
class GivenIds implements IdGenerator {
  next: { traceId: string; spanId: string } | undefined;
  readonly #random = new RandomIdGenerator();

  generateSpanId(): string {
    return this.next?.spanId ?? this.#random.generateSpanId();
  }

  generateTraceId(): string {
    return this.next?.traceId ?? this.#random.generateTraceId();
  }
}

/** Once when it begins and once when it ends: a collector may be away for hours. */
function tellingOfFailure(exporter: SpanExporter, log: Log): SpanExporter {
  let failing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed !== failing) {
          failing = failed;
          if (failed) log.warn({}, 'the collector takes no traces; they are dropped');
          else log.info({}, 'the collector takes traces again');
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
