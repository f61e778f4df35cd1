import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { type Config, ONLY_CELL } from '../config/config.ts';

type Where = Pick<Config, 'publicUrl' | 'cell'>;
type Whose = 'visitor' | 'staff' | 'known' | 'sso';

/**
 * `__Host-` binds a cookie to this host. Browsers accept it over https only, so local http goes without it. Cells share
 * one host, so the name ends with the cell.
 */
export function cookieName(config: Where, whose: Whose): string {
  return config.cell === ONLY_CELL ? baseName(config, whose) : `${baseName(config, whose)}-${config.cell}`;
}

/** The router in front of several cells sets and reads it. It chooses the cell, and gives no access. */
export function cellCookie(config: Pick<Config, 'publicUrl'>): string {
  return baseName(config, 'cell');
}

/** The values of this cookie: ours first, then those that other cells set. A desk moves here with its people. */
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
