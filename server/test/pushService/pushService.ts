import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { BrowserKeys } from './browserKeys.ts';
import { type Certificate, makeCertificate } from './certificate.ts';
import { answerRemote } from './remote.ts';
import type { Answer, PushService, Received } from './service.ts';
import { wrongVapid } from './vapid.ts';

const BODY_MAX = 4_096;
const TOPIC = /^[A-Za-z0-9_-]{1,32}$/;

/**
 * A push service like those of browser makers, on loopback: real TLS, RFC 8030, 8291, 8292. It shares no code with the
 * sender: it verifies and decrypts by itself, and refuses invalid requests.
 */
export async function startPushService({
  port = 0,
  certificate = makeCertificate(),
  publicKey,
}: {
  port?: number;
  certificate?: Certificate;
  /** The only VAPID key that it accepts; without it, any. */
  publicKey?: string;
} = {}): Promise<PushService> {
  const browsers = new Map<string, { keys: BrowserKeys; received: Received[] }>();
  const answers = new Map<string, Answer>();
  const refusals: string[] = [];
  let connections = 0;
  const browser = (name: string) => {
    const known = browsers.get(name) ?? { keys: new BrowserKeys(), received: [] };
    browsers.set(name, known);
    return known;
  };

  const wrong = (request: IncomingMessage, body: Buffer): [status: number, why: string] | undefined => {
    const { headers } = request;
    if (request.method !== 'POST') return [405, `method ${request.method}`];
    const vapid = wrongVapid(headers.authorization, { audience: service.origin, publicKey });
    if (vapid !== undefined) return [403, vapid];
    if (headers['content-encoding'] !== 'aes128gcm') return [400, 'not aes128gcm'];
    if (!/^[0-9]+$/.test(String(headers.ttl))) return [400, 'no TTL'];
    if (headers.topic !== undefined && !TOPIC.test(String(headers.topic))) return [400, 'a bad topic'];
    if (body.length > BODY_MAX) return [413, `${body.length} bytes`];
    return undefined;
  };

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<number> => {
    const name = decodeURIComponent(request.url?.match(/^\/push\/([^/?]+)$/)?.[1] ?? '');
    const known = browsers.get(name);
    const body = await buffer(request);
    const fault = wrong(request, body);
    if (fault !== undefined) {
      refusals.push(fault[1]);
      return fault[0];
    }
    const answer = answers.get(name) ?? answers.get('');
    const chosen = typeof answer === 'function' ? await answer(request, response) : answer;
    if (chosen !== undefined && (chosen < 200 || chosen > 299)) return chosen;
    if (known === undefined) return 404;
    try {
      const payload: unknown = JSON.parse(known.keys.open(body));
      known.received.push({ payload, headers: request.headers, bytes: body.length, at: Date.now() });
    } catch (error) {
      refusals.push(String(error));
      return 400;
    }
    return chosen ?? 201;
  };

  const server = createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
    const answer = async (): Promise<void> => {
      if (await answerRemote(service, request, response)) return;
      const status = await receive(request, response);
      if (!response.headersSent && !response.destroyed) response.writeHead(status).end();
    };
    answer().catch(() => response.destroy());
  });
  server.on('connection', () => connections++);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const host = `localhost:${(server.address() as AddressInfo).port}`;

  const service: PushService = {
    origin: `https://${host}`,
    host,
    certificate,
    endpointFor: (name) => `${service.origin}/push/${encodeURIComponent(name)}`,
    subscription(name) {
      const { p256dh, auth } = browser(name).keys;
      return { endpoint: service.endpointFor(name), p256dh, auth };
    },
    received: (name) => browser(name).received,
    refusals,
    connections: () => connections,
    answerWith(answer, name = '') {
      if (answer === 'normally') answers.delete(name);
      else answers.set(name, answer);
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      certificate.remove();
    },
  };
  return service;
}
