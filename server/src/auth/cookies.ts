import type { CookieSerializeOptions } from '@fastify/cookie';
import type { Config } from '../config/config.ts';

type PublicUrl = Pick<Config, 'publicUrl'>;

/** `__Host-` binds a cookie to this host. Browsers accept it over https only, so local http goes without it. */
export function cookieName(config: PublicUrl, whose: 'visitor' | 'staff' | 'known' | 'sso'): string {
  return `${isSecure(config) ? '__Host-' : ''}settee-${whose}`;
}

export function cookieOptions(config: PublicUrl): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure(config) };
}

function isSecure(config: PublicUrl): boolean {
  return config.publicUrl.startsWith('https:');
}
