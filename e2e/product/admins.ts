import { expect, type Page } from '@playwright/test';
import { runStock } from './accounts.ts';
import { inDatabase } from './database.ts';

type Admin = { email: string; password: string; name: string };

const NAME = 'Ana Kovač';
const PASSWORD = 'a password for the browser tests';

/** Made ahead, by the database they are in. */
const stock = new Map<string | undefined, Admin[]>();

/** An administrator of the installation that the environment names. */
export function createAdmin(env: NodeJS.ProcessEnv = process.env): Admin {
  const admins = stock.get(env.DATABASE_URL) ?? [];
  stock.set(env.DATABASE_URL, admins);
  if (admins.length === 0)
    admins.push(...runStock<Admin>('stockAdmins.ts', { name: NAME, password: PASSWORD }, env));
  const admin = admins.pop();
  if (admin === undefined) throw new Error('no administrators were made');
  return admin;
}

/** As if this person had shown a second factor. */
export async function vouchFor(email: string, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  await inDatabase(
    `update staff_sessions set second_factor_at = now()
     where staff_id = (select id from staff where email = $1)`,
    [email],
    env.DATABASE_URL,
  );
}

/** As if this person had signed in for the first time more than seven days ago. */
export async function endGrace(email: string): Promise<void> {
  await inDatabase(`update staff set grace_from = now() - interval '7 days 1 second' where email = $1`, [
    email,
  ]);
}

/** As if it was a quarter of an hour ago that this person signed in and showed who they are. */
export async function ageSessions(email: string): Promise<void> {
  await inDatabase(
    `update staff_sessions set created_at = created_at - interval '15 minutes',
       second_factor_at = second_factor_at - interval '15 minutes',
       confirmed_at = confirmed_at - interval '15 minutes'
     where staff_id = (select id from staff where email = $1)`,
    [email],
  );
}

/** Into the admin area, as if the second factor had been shown: that way has tests of its own. */
export async function enterAdmin(
  page: Page,
  { path = '/admin', env = process.env, admin = createAdmin(env) } = {},
): Promise<Admin> {
  const { email, password } = admin;
  // Not through the pages: they would be on their way to the second factor when we go on.
  const signedIn = await page.request.post('/auth/staff/sign-in', { data: { email, password } });
  expect(signedIn.ok()).toBe(true);
  await vouchFor(email, env);
  await page.goto(path);
  await expect(page.getByRole('navigation', { name: 'Admin area' })).toBeAttached();
  return admin;
}
