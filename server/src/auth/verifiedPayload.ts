import type { KeyObject } from 'node:crypto';
import { type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';

/** What a token says that was signed with one of these keys and has not ended; else undefined. */
export async function verifiedPayload(
  token: string,
  keys: readonly KeyObject[],
  options: JWTVerifyOptions,
): Promise<JWTPayload | undefined> {
  for (const key of keys) {
    const verified = await jwtVerify(token, key, options).catch(() => undefined);
    if (verified !== undefined) return verified.payload;
  }
  return undefined;
}
