import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ExportedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** Milliseconds since the epoch. */
  start: number;
  end: number;
  attributes: Record<string, string | number>;
  /** The process that sent it. */
  instance: string;
};

/** Receives traces like an OpenTelemetry collector: OTLP over HTTP, in JSON. It can also hang. */
export class Collector {
  readonly spans: ExportedSpan[] = [];
  requests = 0;
  hangs = false;
  readonly #held: ServerResponse[] = [];
  readonly #server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      this.requests += 1;
      this.#take(JSON.parse(Buffer.concat(parts).toString()) as Export);
      if (this.hangs) this.#held.push(response);
      else response.setHeader('content-type', 'application/json').end('{}');
    });
  });

  async start(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1/traces`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #take({ resourceSpans }: Export): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const instance = String(valuesOf(resource.attributes)['service.instance.id']);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        const { startTimeUnixNano, endTimeUnixNano, attributes, ...rest } = span;
        const [start, end] = [Number(startTimeUnixNano) / 1e6, Number(endTimeUnixNano) / 1e6];
        this.spans.push({ ...rest, start, end, attributes: valuesOf(attributes), instance });
      }
    }
  }
}

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } };
type Export = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        name: string;
        startTimeUnixNano: string;
        endTimeUnixNano: string;
        attributes: Attribute[];
      }[];
    }[];
  }[];
};

function valuesOf(attributes: Attribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
}
