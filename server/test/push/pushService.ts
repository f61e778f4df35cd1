import { createDecipheriv, createECDH, createHmac, createPublicKey, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer, json } from 'node:stream/consumers';
import { type Certificate, makeCertificate } from './certificate.ts';

export type BrowserSubscription = { endpoint: string; p256dh: string; auth: string };

/** What one browser received: the decrypted payload, and what the push service could read. */
export type Received = { payload: unknown; headers: IncomingHttpHeaders; bytes: number; at: number };

/** A status, or a function that answers by itself; if it returns undefined, the usual answer is sent. */
type Answer =
  | number
  | ((
      request: IncomingMessage,
      response: ServerResponse,
    ) => number | undefined | Promise<number | undefined>);

export type PushService = {
  origin: string;
  /** host:port, in the format of PUSH_HOSTS. */
  host: string;
  certificate: Certificate;
  endpointFor(name: string): string;
  /** A browser's subscription with real keys; the same for the same name. */
  subscription(name: string): BrowserSubscription;
  received(name: string): Received[];
  /** Why requests were refused with 400 or 403; empty if all followed the RFCs. */
  refusals: string[];
  /** All TCP connections so far. */
  connections(): number;
  /** Changes the answer for this browser or for all; 'normally' resets it. */
  answerWith(answer: Answer | 'normally', name?: string): void;
  stop(): Promise<void>;
};

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

const BROWSER = /^\/browsers\/([^/]+)$/;

/** Lets another process use the service, because browser tests run in separate processes. */
async function answerRemote(
  service: PushService,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const name = decodeURIComponent(BROWSER.exec(request.url ?? '')?.[1] ?? '');
  if (name === '') return false;
  if (request.method === 'PUT') {
    const { answer } = (await json(request)) as { answer: number | 'normally' };
    service.answerWith(answer, name);
  }
  const known = { subscription: service.subscription(name), received: service.received(name) };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(known));
  return true;
}

export type RemotePushService = {
  /** A browser's subscription with real keys; the same for the same name. */
  subscription(name: string): Promise<BrowserSubscription>;
  received(name: string): Promise<Received[]>;
  answerWith(answer: number | 'normally', name: string): Promise<void>;
};

/** The service that `npm run e2e` has started (PUSH_SERVICE_URL), with the same methods as the local one. */
export function pushServiceAt(origin: string): RemotePushService {
  const ask = async (name: string, init: RequestInit = {}) => {
    const answer = await fetch(`${origin}/browsers/${encodeURIComponent(name)}`, init);
    return (await answer.json()) as { subscription: BrowserSubscription; received: Received[] };
  };
  return {
    subscription: async (name) => (await ask(name)).subscription,
    received: async (name) => (await ask(name)).received,
    answerWith: async (answer, name) => {
      await ask(name, { method: 'PUT', body: JSON.stringify({ answer }) });
    },
  };
}

const DAY_SECONDS = 24 * 3_600;

/** Checks the sender (RFC 8292). Returns the problem, or undefined. */
function wrongVapid(
  header: string | undefined,
  expected: { audience: string; publicKey: string | undefined },
): string | undefined {
  const parts = /^vapid t=([^.,\s]+)\.([^.,\s]+)\.([^.,\s]+), k=([A-Za-z0-9_-]+)$/.exec(header ?? '');
  if (parts === null) return 'no VAPID authorization';
  const [, head = '', body = '', signature = '', publicKey = ''] = parts;
  if (expected.publicKey !== undefined && publicKey !== expected.publicKey) return 'another VAPID key';
  const point = Buffer.from(publicKey, 'base64url');
  if (point.length !== 65 || point[0] !== 4) return 'k is no P-256 point';
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const signed = Buffer.from(`${head}.${body}`);
  const genuine = verify(
    'sha256',
    signed,
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!genuine) return 'the signature is wrong';
  const { alg } = decode(head);
  const { aud, exp, sub } = decode(body);
  if (alg !== 'ES256') return 'not ES256';
  if (aud !== expected.audience) return `aud is ${String(aud)}`;
  const left = Number(exp) - Date.now() / 1_000;
  if (!(left > 0 && left <= DAY_SECONDS)) return `exp is ${left} s away`;
  if (typeof sub !== 'string' || !/^(?:mailto:|https:)/.test(sub)) return 'no sub';
  return undefined;
}

function decode(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>;
}

const CURVE = 'prime256v1';
const SALT = 16;
const RECORD_SIZE = 4;
const POINT = 65;
const TAG = 16;

/** The keys of one browser subscription, and how it decrypts a payload: RFC 8291 and 8188, by hand. */
export class BrowserKeys {
  readonly #ecdh = createECDH(CURVE);
  readonly #auth = randomBytes(16);

  constructor() {
    this.#ecdh.generateKeys();
  }

  get p256dh(): string {
    return this.#ecdh.getPublicKey('base64url');
  }

  get auth(): string {
    return this.#auth.toString('base64url');
  }

  /** Throws for anything that is not exactly one correctly padded record. */
  open(body: Buffer): string {
    const salt = body.subarray(0, SALT);
    const recordSize = body.readUInt32BE(SALT);
    const idLength = body.readUInt8(SALT + RECORD_SIZE);
    if (idLength !== POINT) throw new Error('the key id is no P-256 point');
    const headerLength = SALT + RECORD_SIZE + 1 + idLength;
    const sender = body.subarray(SALT + RECORD_SIZE + 1, headerLength);
    const record = body.subarray(headerLength);
    if (record.length > recordSize) throw new Error('more than one record');

    const shared = this.#ecdh.computeSecret(sender);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#ecdh.getPublicKey(), sender]);
    const inputKey = expand(hmac(this.#auth, shared), info, 32);
    const random = hmac(salt, inputKey);
    const key = expand(random, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
    const nonce = expand(random, Buffer.from('Content-Encoding: nonce\0'), 12);

    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(record.subarray(-TAG));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG)), decipher.final()]);
    const end = padded.findLastIndex((byte) => byte !== 0);
    if (padded[end] !== 2) throw new Error('the last record does not end with 2');
    return padded.subarray(0, end).toString('utf8');
  }
}

function hmac(key: Uint8Array, data: Uint8Array): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

/** HKDF's second step; one block is enough here. */
function expand(key: Uint8Array, info: Uint8Array, length: number): Buffer {
  return hmac(key, Buffer.concat([info, Buffer.from([1])])).subarray(0, length);
}
