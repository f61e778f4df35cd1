import type { CookieSerializeOptions } from '@fastify/cookie';
import type { Config } from '../config/config.ts';

type PublicUrl = Pick<Config, 'publicUrl'>;

/** `__Host-` binds a cookie to this very host; browsers take it over https only, so http (a local try) goes without. */
export function cookieName(config: PublicUrl, whose: 'visitor' | 'staff'): string {
  return `${isSecure(config) ? '__Host-' : ''}settee-${whose}`;
}

export function cookieOptions(config: PublicUrl): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure(config) };
}

function isSecure(config: PublicUrl): boolean {
  return config.publicUrl.startsWith('https:');
}
