import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Certificate, makeCertificate } from '../push/certificate.ts';

export type ReceivedEvent = {
  /** The header `webhook-id`. */
  id: string;
  headers: Record<string, string>;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into every event
  event: any;
  /** What the receiver answered. */
  status: number;
};

export type WebhookReceiver = {
  /** For WEBHOOK_HOSTS. */
  host: string;
  url: string;
  certificate: Certificate;
  received: ReceivedEvent[];
  /** Those that it accepted. */
  accepted(): ReceivedEvent[];
  /** The status of later answers; 200 at first. */
  answer: (received: ReceivedEvent) => number | Promise<number>;
  /** Headers of later answers. */
  headers: Record<string, string>;
  stop(): Promise<void>;
};

/** A receiver of webhooks on loopback, with real TLS. */
export async function startWebhookReceiver({
  port = 0,
  certificate = makeCertificate(),
}: {
  port?: number;
  certificate?: Certificate;
} = {}): Promise<WebhookReceiver> {
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const headers = request.headers as Record<string, string>;
    const got = { id: headers['webhook-id'] ?? '', headers, body, event: JSON.parse(body), status: 0 };
    receiver.received.push(got);
    got.status = await receiver.answer(got);
    response.writeHead(got.status, receiver.headers).end('thank you');
  };
  const server = createServer(certificate, (request, response) => {
    // A killed worker may leave half a request.
    receive(request, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  const receiver: WebhookReceiver = {
    host,
    url: `https://${host}/hooks`,
    certificate,
    received: [],
    accepted: () => receiver.received.filter(({ status }) => status === 200),
    answer: () => 200,
    headers: {},
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      certificate.remove();
    },
  };
  return receiver;
}
