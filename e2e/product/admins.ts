import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { runCli } from './accounts.ts';
import { inDatabase } from './database.ts';

type Admin = { email: string; password: string; name: string };

const PASSWORD = 'a password for the browser tests';

/** An administrator of the installation that the environment names. */
export function createAdmin(env: NodeJS.ProcessEnv = process.env, name = 'Ana Kovač'): Admin {
  const email = `admin.${randomUUID()}@settee.example`;
  runCli(['admin', 'create', '--email', email, '--name', name, '--password-stdin'], env, PASSWORD);
  return { email, password: PASSWORD, name };
}

/** Into the admin area, as if the second factor had been shown: that way has tests of its own. */
export async function enterAdmin(
  page: Page,
  { path = '/admin', env = process.env, admin = createAdmin(env) } = {},
): Promise<Admin> {
  await page.goto('/handler');
  await page.getByLabel('Email address').fill(admin.email);
  await page.getByLabel('Password').fill(admin.password);
  await page.getByRole('button', { name: 'Sign in to Handler Console' }).click();
  await page.waitForURL('**/admin/**');
  await inDatabase(
    `update staff_sessions set second_factor_at = now()
     where staff_id = (select id from staff where email = $1)`,
    [admin.email],
    env.DATABASE_URL,
  );
  await page.goto(path);
  await expect(page.getByRole('navigation', { name: 'Admin area' })).toBeAttached();
  return admin;
}
