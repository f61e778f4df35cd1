import { createHmac } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { StaffLanguage } from '@settee/protocol/texts/languages';
import { staffCatalogues } from '@settee/protocol/translations/translations';
import { REFETCH_INTERVAL_MS } from '../../web/src/admin/refetch.ts';
import { type Admin, takeFromStock } from './accounts.ts';
import { inDatabase } from './database.ts';

/** Stops the poll of the page's lists, from its next load on, so that only live updates change them. */
export async function withoutPoll(page: Page): Promise<void> {
  await page.addInitScript((poll) => {
    const { setInterval } = globalThis;
    Object.assign(globalThis, {
      setInterval: (run: () => void, ms?: number) => (ms === poll ? 0 : setInterval(run, ms)),
    });
  }, REFETCH_INTERVAL_MS);
}

/** Creates an administrator in the installation that the environment selects. */
export function createAdmin(env: NodeJS.ProcessEnv = process.env): Admin {
  return takeFromStock('admins', env);
}

/** Marks this person's sessions as verified with a second factor. */
async function markVerified(email: string, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  await inDatabase(
    `update staff_sessions set second_factor_at = now()
     where staff_id = (select id from staff where email = $1)`,
    [email],
    env.DATABASE_URL,
  );
}

/** Moves the first sign-in to more than seven days ago. */
export async function endGrace(email: string): Promise<void> {
  await inDatabase(`update staff set grace_from = now() - interval '7 days 1 second' where email = $1`, [
    email,
  ]);
}

/** Moves sign-in and verification to a quarter of an hour ago. */
export async function ageSessions(email: string): Promise<void> {
  await inDatabase(
    `update staff_sessions set created_at = created_at - interval '15 minutes',
       second_factor_at = second_factor_at - interval '15 minutes',
       confirmed_at = confirmed_at - interval '15 minutes'
     where staff_id = (select id from staff where email = $1)`,
    [email],
  );
}

/** Opens the admin area with the second factor already verified. Other tests cover the real sign-in. */
export async function enterAdmin(
  page: Page,
  {
    path = '/admin',
    env = process.env,
    admin = createAdmin(env),
    language = 'en',
  }: { path?: string; env?: NodeJS.ProcessEnv; admin?: Admin; language?: StaffLanguage } = {},
): Promise<Admin> {
  const { email, password } = admin;
  // Signs in without the pages: they would redirect to the second factor while the test continues.
  const signedIn = await page.request.post('/auth/staff/sign-in', { data: { email, password } });
  expect(signedIn.ok()).toBe(true);
  await markVerified(email, env);
  await page.goto(path);
  const { navigation } = staffCatalogues[language].adminTexts;
  await expect(page.getByRole('navigation', { name: navigation })).toBeAttached();
  return admin;
}

const STEP_SECONDS = 30;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * The code that an authenticator app shows for this secret, `steps` steps from now: RFC 6238, implemented
 * independently.
 */
export function appCode(secret: string, steps = 0, now = Date.now()): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 1_000 / STEP_SECONDS) + steps));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const at = (digest.at(-1) ?? 0) & 0x0f;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

function fromBase32(text: string): Buffer {
  const bits = text
    .replaceAll(' ', '')
    .split('')
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
