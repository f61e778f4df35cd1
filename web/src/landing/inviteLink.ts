import { InviteToken } from '@settee/protocol/model/invite';
import * as v from 'valibot';

/** The path of a pasted invite link. Undefined if it is not a link of this host. */
export function invitePath(pasted: string, host: string): string | undefined {
  const text = pasted.trim();
  const token = v.is(InviteToken, text) ? text : tokenOf(text, host);
  return token && `/i/${token}`;
}

/** Accepts a URL, a URL without scheme, or a path. */
function tokenOf(text: string, host: string): string | undefined {
  const address = /^[a-z]+:\/\//i.test(text)
    ? text
    : text.startsWith('/')
      ? `https://${host}${text}`
      : `https://${text}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const [, place, token = '', ...rest] = url.pathname.split('/');
  const ours = url.host === host && /^https?:$/.test(url.protocol) && place === 'i' && rest.join('') === '';
  return ours && v.is(InviteToken, token) ? token : undefined;
}
