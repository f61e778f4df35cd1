import { lookup } from 'node:dns/promises';
import { Agent, request } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Clock } from '../ports.ts';
import { isPublicAddress } from './publicAddresses.ts';
import type { PushEndpoint } from './pushEndpoints.ts';

const ALL_IN_MS = 10_000;

type Address = { address: string; family: number };

/** What a test may put in the place of the world. */
export type World = {
  resolve?: (hostname: string) => Promise<Address[]>;
  /** Certificates to trust instead of the usual authorities. */
  ca?: string;
};

/** In our own words, all of them fixed. */
export class NotDialled extends Error {}

export type Answered = { status: number; retryAfter: string | undefined };

/**
 * The only way from here to an address that a stranger named. The name is resolved once, by us; every answer must be
 * public (unless the installation listed the host); the connection goes to what was checked and to nothing else, so
 * that a name which changes its mind gains nothing. TLS is verified against the name. No redirect is followed, no
 * proxy is asked, no connection is kept, and of the answer only its head is read.
 */
export async function dialGuarded(
  { url, listed }: PushEndpoint,
  { headers, body, clock }: { headers: Record<string, string>; body: Uint8Array; clock: Clock },
  { resolve = resolveAll, ca }: World = {},
): Promise<Answered> {
  const timeUp = new AbortController();
  const takeBack = clock.after(ALL_IN_MS, () => timeUp.abort(new NotDialled('no answer in time')));
  try {
    const addresses = await before(timeUp.signal, resolve(bare(url.hostname)));
    if (addresses.length === 0) throw new NotDialled('no address');
    if (!listed && !addresses.every(({ address }) => isPublicAddress(address)))
      throw new NotDialled('not a public address');
    return await post(url, { headers, body, addresses, ca, signal: timeUp.signal });
  } catch (error) {
    throw timeUp.signal.aborted ? (timeUp.signal.reason as Error) : error;
  } finally {
    takeBack();
  }
}

function post(
  url: URL,
  {
    headers,
    body,
    addresses,
    ca,
    signal,
  }: {
    headers: Record<string, string>;
    body: Uint8Array;
    addresses: Address[];
    ca: string | undefined;
    signal: AbortSignal;
  },
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      headers,
      signal,
      // An agent of our own: the global one may keep connections, and ask a proxy from the environment.
      agent: new Agent({ keepAlive: false, maxCachedSessions: 0 }),
      lookup: answering(addresses),
      ...(ca !== undefined && { ca }),
    });
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      const { statusCode = 0 } = incoming;
      // The status is all we need: a body could be slow, endless, or full of things for a log to repeat.
      incoming.on('error', () => {}).destroy();
      resolve({ status: statusCode, retryAfter: incoming.headers['retry-after'] });
    });
    outgoing.end(body);
  });
}

/** In the place of DNS: whatever is asked, the answer is what was checked. */
function answering(addresses: Address[]): LookupFunction {
  return (_hostname, options, done) => {
    const [first] = addresses;
    if (options.all === true) done(null, addresses);
    else done(null, first?.address ?? '', first?.family ?? 0);
  };
}

function resolveAll(hostname: string): Promise<Address[]> {
  return lookup(hostname, { all: true });
}

/** IPv6 stands in brackets in an address of the web, and without them everywhere else. */
function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** A name server cannot be told to stop, but nobody has to wait for it. */
function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}
