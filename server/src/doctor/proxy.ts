import { randomInt, randomUUID } from 'node:crypto';
import { BlockList, connect, isIPv6 } from 'node:net';
import { doctorAddress } from '../platform/auth/doctorProbe.ts';
import { accountKey } from '../platform/auth/rateLimits.ts';
import type { Config } from '../platform/config/config.ts';
import { addressKey } from '../platform/http/client.ts';
import type { About } from './finding.ts';
import { takeSeenAddress } from './seenAddress.store.ts';

const ANSWER_MS = 10_000;
/** Trusting these means trusting everyone. */
const EVERYBODY = ['0.0.0.0/0', '::/0'];
const NAMED: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Addresses that do not occur on the internet; some clusters use 100.64/10 for pods. */
const NOT_PUBLIC = ['loopback', 'uniquelocal', '100.64.0.0/10', '169.254.0.0/16', 'fe80::/10'];

/**
 * Rate limits count by address, so the gateway must see the visitor's, not the proxy's or a forged X-Forwarded-For.
 * Tries one sign-in with a nonexistent account and a forged header, and reads which address was counted.
 */
export async function checkProxy(
  about: About,
  config: Config,
  { running }: { running: boolean },
): Promise<void> {
  const { trustProxy, publicUrl } = config;
  if (trustProxy !== false && trustProxy.some((range) => EVERYBODY.includes(range)))
    return about.fail(
      'trusts everyone: any client can choose its address for rate limits with X-Forwarded-For',
      "Set TRUST_PROXY to your proxy's own address or range.",
    );
  if (trustProxy === false && publicUrl.startsWith('https:'))
    about.warn(
      'trusts no proxy, but https needs one: all visitors count as one address',
      "Set TRUST_PROXY to your proxy's address; loopback, if it runs on this machine.",
    );
  if (!running) return;

  const forged = `203.0.113.${randomInt(1, 255)}`;
  const email = doctorAddress(config);
  const ours = await localAddress(publicUrl);
  await fetch(`${publicUrl}/auth/staff/sign-in`, {
    method: 'POST',
    headers: { origin: publicUrl, 'content-type': 'application/json', 'x-forwarded-for': forged },
    body: JSON.stringify({ email, password: randomUUID() }),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const seen = await takeSeenAddress(config.databaseUrl, (address) => accountKey({ email, address }));
  const trusted = trustProxy !== false && covers(trustProxy, ours);
  if (seen === undefined)
    about.warn('could not determine which address the gateway counts', 'Run doctor again in a minute.');
  else if (seen === forged && !trusted)
    about.fail(
      'the gateway accepts a forged X-Forwarded-For',
      'Make the proxy append the address that it sees, or replace the header. Set TRUST_PROXY to the proxy only.',
    );
  else if (seen === forged)
    about.ok('not tested: this machine is itself trusted. Run doctor on another machine to be sure');
  else if (seen === addressKey(ours)) about.ok('the gateway sees the address of the client');
  else if (trustProxy === false)
    about.warn(
      `every visitor appears to come from ${seen}`,
      `If that is your proxy, set TRUST_PROXY=${seen}. Otherwise all visitors share one limit.`,
    );
  else if (covers(NOT_PUBLIC, seen.replace(/\/64$/, '')))
    about.warn(
      `every visitor appears to come from ${seen}, which is not a public address`,
      `If that is a proxy, add it to TRUST_PROXY. Otherwise all visitors share one limit. If it is this machine through a container network, run doctor on another machine to be sure.`,
    );
  else
    about.ok(
      `the gateway sees us as ${seen}, and ignores a forged header. This is correct only if it is this machine's public address`,
    );
}

/** Our local address on the route to the public URL. */
async function localAddress(publicUrl: string): Promise<string> {
  const { hostname, port, protocol } = new URL(publicUrl);
  const to = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
  };
  return new Promise((done, failed) => {
    const socket = connect(to, () => {
      done((socket.localAddress ?? '').replace(/^::ffff:/, ''));
      socket.destroy();
    }).once('error', failed);
  });
}

function covers(ranges: readonly string[], address: string): boolean {
  const list = new BlockList();
  for (const range of ranges.flatMap((name) => NAMED[name] ?? [name])) {
    const [base = '', bits] = range.split('/');
    const family = isIPv6(base) ? 'ipv6' : 'ipv4';
    list.addSubnet(base, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
