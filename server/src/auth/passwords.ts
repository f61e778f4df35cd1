import { hash, verify } from '@node-rs/argon2';

/** OWASP's argon2id: 19 MiB, two passes, one lane; the library's algorithm is argon2id unless told. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Of random bytes that nobody kept: an unknown e-mail costs the same time as a wrong password. */
const NOBODYS =
  '$argon2id$v=19$m=19456,t=2,p=1$DJsKl5L1onF9wuw87aOjwQ$Gm8aEdEdm6fdC8dpbE0kKUpP7RNdGMveYztOGUZuW6o';

export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/** Always does the work of one verification, also when there is no hash to verify against. */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(stored ?? NOBODYS, password).catch(() => false);
  return matches && typeof stored === 'string';
}
