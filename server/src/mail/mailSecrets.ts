import { createHmac, type KeyObject } from 'node:crypto';
import { MAIL_CODE_LENGTH } from '@settee/protocol/model/mail';
import type { App } from '../platform/app.ts';
import { decrypt, encrypt } from '../platform/auth/encryption.ts';
import { isSigned, keyFor, keysFor } from '../platform/config/keys.ts';

type Configured = { config: Parameters<typeof keysFor>[0] };

/** Encrypted for storage, and bound to the conversation. */
export function encryptAddress(
  app: Pick<App, 'random'> & { config: { secret: string } },
  conversationId: string,
  address: string,
): Buffer {
  return encrypt(app, keyFor(app.config, 'mail address'), conversationId, address);
}

export function decryptAddress(app: Configured, conversationId: string, stored: Buffer): string | undefined {
  return decrypt(keysFor(app.config, 'mail address'), conversationId, stored);
}

/** What a mail must say and the database must not: a code or a link. For the payload of a job. */
export function sealContent(app: Pick<App, 'config' | 'random'>, owner: string, text: string): string {
  return encrypt(app, keyFor(app.config, 'mail content'), owner, text).toString('base64');
}

export function openContent(app: Configured, owner: string, sealed: string): string | undefined {
  return decrypt(keysFor(app.config, 'mail content'), owner, Buffer.from(sealed, 'base64'));
}

export function newMailCode({ random }: Pick<App, 'random'>): string {
  return String(random.below(10 ** MAIL_CODE_LENGTH)).padStart(MAIL_CODE_LENGTH, '0');
}

export function hashMailCode({ config }: Pick<App, 'config'>, conversationId: string, code: string): Buffer {
  return createHmac('sha256', keyFor(config, 'mail code')).update(`${conversationId} ${code}`).digest();
}

/** The same for every address, whoever asks, and for all its tags (name+tag@example.com): for a limit. */
export function addressLimitKey({ config }: Pick<App, 'config'>, address: string): string {
  return createHmac('sha256', keyFor(config, 'mail limit'))
    .update(address.toLowerCase().replace(/(?<=.)\+[^@]*@/, '@'))
    .digest('base64url');
}

const MAC_BYTES = 16;
const ID_BYTES = 16;

/** Ends the mails of one conversation. It gives no access to anything. */
export function unsubscribeToken({ config }: { config: { secret: string } }, conversationId: string): string {
  const id = Buffer.from(conversationId.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, macOf(id, keyFor(config, 'mail unsubscribe'))]).toString('base64url');
}

/** The conversation of a token; undefined if it was not signed here. */
export function readUnsubscribeToken({ config }: Configured, token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== ID_BYTES + MAC_BYTES) return undefined;
  const id = bytes.subarray(0, ID_BYTES);
  const keys = keysFor(config, 'mail unsubscribe');
  if (!isSigned(keys, bytes.subarray(ID_BYTES), (key) => macOf(id, key))) return undefined;
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function macOf(id: Buffer, key: KeyObject): Buffer {
  return createHmac('sha256', key).update(id).digest().subarray(0, MAC_BYTES);
}
