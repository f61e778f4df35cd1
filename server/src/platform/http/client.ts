import { isIPv6 } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import type { SessionOrigin } from '../ports/caller.ts';

/**
 * The key for rate limits per address: an IPv4 address, or the /64 network of an IPv6 address, because one subscriber
 * owns a whole /64.
 */
export function addressKey(ip: string): string {
  const [address = ''] = ip.split('%');
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('::');
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const network = [...left, ...zeros, ...right].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** Tells whether an address is one of TRUST_PROXY. */
export function trustedProxies({
  trustProxy,
}: Pick<Config, 'trustProxy'>): (address: string, hop: number) => boolean {
  return proxyAddr.compile(trustProxy || []);
}

/** For people: a shortened address, such as 203.0.113.* or 2001:db8:1::*. It tells networks apart, not lines. */
export function networkOf(ip: string): string {
  const key = addressKey(ip);
  if (!key.endsWith('::/64')) return key.replace(/[0-9]+$/, '*');
  return `${key.split(':').slice(0, 3).join(':')}::*`;
}

/** The last group may be an IPv4 address, which counts as two groups. */
function groups(part: string): string[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}

/** The first match counts, because most browsers also name the browsers they descend from. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|OPiOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** For example 'Firefox on Android', or an empty string. The User-Agent header itself is not stored. */
export function browserName(userAgent: string | undefined): string {
  const find = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? '');
}

/** What the list of sessions shows. */
export function sessionOrigin({ ip, headers }: FastifyRequest): SessionOrigin {
  return { browser: browserName(headers['user-agent']), network: networkOf(ip) };
}
