import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { type Config, ONLY_CELL } from '../config/config.ts';

type Where = Pick<Config, 'publicUrl' | 'cell'>;
type Whose = 'visitor' | 'staff' | 'known' | 'sso';

/**
 * `__Host-settee-staff`: the prefix binds the cookie to this host. Browsers accept it over https only, so over local http
 * it is `settee-staff`. Cells share one host, so in the cell b1 it is `__Host-settee-staff-b1`.
 */
export function cookieName(config: Where, whose: Whose): string {
  return config.cell === ONLY_CELL ? baseName(config, whose) : `${baseName(config, whose)}-${config.cell}`;
}

/** `__Host-settee-cell`. The router in front of several cells sets and reads it. It chooses the cell, and gives no access. */
export function cellCookie(config: Pick<Config, 'publicUrl'>): string {
  return baseName(config, 'cell');
}

/**
 * The values of this cookie: ours first, then those that other cells set, such as `settee-staff-b1`. After a desk has
 * moved here from there, the browsers of its people still have only that one.
 */
export function cookieValues(config: Where, request: FastifyRequest, whose: Whose): string[] {
  const base = baseName(config, whose);
  const own = cookieName(config, whose);
  const others = Object.keys(request.cookies).filter(
    (name) => name !== own && name.startsWith(base) && /^(?:-[0-9a-z]{2})?$/.test(name.slice(base.length)),
  );
  return [own, ...others].flatMap((name) => request.cookies[name] ?? []);
}

export function cookieOptions(config: Pick<Config, 'publicUrl'>): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure(config) };
}

function baseName(config: Pick<Config, 'publicUrl'>, whose: Whose | 'cell'): string {
  return `${isSecure(config) ? '__Host-' : ''}settee-${whose}`;
}

function isSecure(config: Pick<Config, 'publicUrl'>): boolean {
  return config.publicUrl.startsWith('https:');
}
