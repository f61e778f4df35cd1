import type argon2 from '@node-rs/argon2';
import { vi } from 'vitest';

/** Hundreds of sign-ins took a tenth of the CPU time. server/test/platform/auth.test.ts has the product's cost. */
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof argon2>();
  return { ...real, hash: (password: string) => real.hash(password, { memoryCost: 64, timeCost: 1 }) };
});
