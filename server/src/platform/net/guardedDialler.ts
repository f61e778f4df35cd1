import { lookup } from 'node:dns/promises';
import { Agent, request } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { WebhookProblem } from '@settee/protocol/model/webhook';
import type { Clock } from '../ports/ports.ts';
import type { OutsideUrl } from './outsideUrl.ts';
import { isPublicAddress } from './publicAddresses.ts';

const TIMEOUT_MS = 10_000;

type Address = { address: string; family: number };

/** Replacements for tests. */
export type NetworkOverrides = {
  resolve?: (hostname: string) => Promise<Address[]>;
  /** Certificates to trust instead of the usual ones. */
  ca?: string;
};

class DialError extends Error {
  readonly code: WebhookProblem;
  constructor(code: WebhookProblem) {
    super(code);
    this.code = code;
  }
}

export type DialResponse = { status: number; retryAfter: string | undefined };

/**
 * The SSRF guard: the only way to connect to a URL that somebody else chose. The name is resolved once. All its addresses
 * must be public, unless the host is listed. The connection goes to exactly these addresses, so that DNS rebinding has no
 * effect. TLS is verified against the name. No redirects, no proxy, no kept connections, and only the head of the
 * response is read.
 */
export async function dialGuarded(
  { url, listed }: OutsideUrl,
  { headers, body, clock }: { headers: Record<string, string>; body: Uint8Array; clock: Clock },
  { resolve = resolveAll, ca }: NetworkOverrides = {},
): Promise<DialResponse> {
  const timeout = new AbortController();
  const cancel = clock.after(TIMEOUT_MS, () => timeout.abort(new DialError('timeout')));
  try {
    const addresses = await abortable(timeout.signal, resolve(withoutBrackets(url.hostname)));
    if (addresses.length === 0) throw new DialError('no_address');
    if (!listed && !addresses.every(({ address }) => isPublicAddress(address)))
      throw new DialError('private_address');
    return await post(url, { headers, body, addresses, ca, signal: timeout.signal });
  } catch (error) {
    throw timeout.signal.aborted ? (timeout.signal.reason as Error) : error;
  } finally {
    cancel();
  }
}

type Post = {
  headers: Record<string, string>;
  body: Uint8Array;
  addresses: Address[];
  ca: string | undefined;
  signal: AbortSignal;
};

function post(url: URL, { headers, body, addresses, ca, signal }: Post): Promise<DialResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      headers,
      signal,
      // The global agent may keep connections and use a proxy from the environment.
      agent: new Agent({ keepAlive: false, maxCachedSessions: 0 }),
      lookup: fixedLookup(addresses),
      ...(ca !== undefined && { ca }),
    });
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      const { statusCode = 0 } = incoming;
      // The body may be slow or endless, and we do not need it.
      incoming.on('error', () => {}).destroy();
      resolve({ status: statusCode, retryAfter: incoming.headers['retry-after'] });
    });
    outgoing.end(body);
  });
}

/** Always returns the checked addresses. */
function fixedLookup(addresses: Address[]): LookupFunction {
  return (_hostname, options, done) => {
    const [first] = addresses;
    if (options.all === true) done(null, addresses);
    else done(null, first?.address ?? '', first?.family ?? 0);
  };
}

function resolveAll(hostname: string): Promise<Address[]> {
  return lookup(hostname, { all: true });
}

/** URLs have IPv6 addresses in brackets, DNS functions do not. */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** A DNS lookup cannot be cancelled, but we can stop waiting for it. */
function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}

/** For the log. Messages of errors may contain data, such as a certificate. */
export function describeFailure(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : ('unknown' satisfies WebhookProblem);
}

/** The header has seconds or a date. */
export function readRetryAfter(value: string | undefined, clock: Clock): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^[0-9]{1,9}$/.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value) - clock.now()) / 1_000);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}
