import type { KeyObject } from 'node:crypto';
import { type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';

/** The payload of a token that one of these keys signed and that has not expired; otherwise undefined. */
export async function verifyJwt(
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
