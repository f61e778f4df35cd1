import { texts } from '@settee/protocol/texts/texts';
import { createInvite } from '../invites/createInvites.ts';
import type { App } from '../platform/app.ts';
import { readProfile } from '../profile/brand.store.ts';
import { setBrand } from '../profile/setBrand.ts';
import { createAdmin, createHandler } from '../staff/people/createAccount.ts';
import { findAccount } from '../staff/staff.store.ts';

export type SeedResult = {
  adminEmail: string;
  adminPassword: string;
  handlers: { alias: string; email: string; password: string }[];
  inviteLink: string;
};

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Public, hence the check for a local address below. */
const PASSWORD = 'settee-dev-only';
const ACTOR = 'seed';

/** Creates accounts, a profile and an invite for development. Safe to repeat: it then adds only an invite. */
export async function seed(
  app: Pick<App, 'config' | 'db' | 'random'>,
  {
    brand = 'Mara Lindqvist',
    adminEmail = 'admin@settee.example',
    handlers = [{ alias: 'mara-east', email: 'handler@settee.example', name: 'Handler' }],
  } = {},
): Promise<SeedResult> {
  const { hostname } = new URL(app.config.publicUrl);
  if (!LOCAL.has(hostname)) {
    throw new Error(`Seeding creates accounts with a public password, but ${hostname} is not this machine`);
  }
  if ((await findAccount(app.db, adminEmail)) === undefined) {
    await createAdmin(app, { email: adminEmail, name: 'Admin', password: PASSWORD }, ACTOR);
  }
  for (const handler of handlers) {
    if ((await findAccount(app.db, handler.email)) !== undefined) continue;
    await createHandler(app, { ...handler, password: PASSWORD }, ACTOR);
  }
  if ((await readProfile(app.db)).brand.displayName === texts.brandDefaultName) {
    await setBrand(app, { displayName: brand }, ACTOR);
  }
  const alias = handlers[0]?.alias ?? '';
  const { link } = await createInvite(app, { alias, label: 'A fresh invite' }, ACTOR);
  return {
    adminEmail,
    adminPassword: PASSWORD,
    handlers: handlers.map((handler) => ({
      alias: handler.alias,
      email: handler.email,
      password: PASSWORD,
    })),
    inviteLink: link,
  };
}
