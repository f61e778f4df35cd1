import { hash, verify } from '@node-rs/argon2';

/** OWASP's argon2id parameters: 19 MiB, two passes, one lane. Argon2id is the library's default. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of discarded random bytes: an unknown e-mail takes as long as a wrong password. */
const UNKNOWN_ACCOUNT_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$DJsKl5L1onF9wuw87aOjwQ$Gm8aEdEdm6fdC8dpbE0kKUpP7RNdGMveYztOGUZuW6o';

export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/** Always does one verification, even without a stored hash, so that timing reveals nothing. */
export async function passwordMatches(
  stored: string | null | undefined,
  password: string,
  check = verify,
): Promise<boolean> {
  const matches = await check(stored ?? UNKNOWN_ACCOUNT_HASH, password).catch(() => false);
  return matches && typeof stored === 'string';
}
