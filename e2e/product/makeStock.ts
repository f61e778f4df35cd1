// Prints new desks, each with a handler and some invites, and new administrators, as JSON. One process per account took
// longer than most tests. The accounts are those of `settee handler create` and `admin create`, but share one password
// hash, because each hash takes a tenth of a second.
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import {
  createInvite,
  ensureAlias,
  insertAccount,
  insertAudit,
  openDatabase,
  systemRandom,
} from '../../server/testing/installation.ts';
import { hashPassword, readConfig } from '../../server/testing/rules.ts';
import type { Stock, StockOrder } from './accounts.ts';

const INVITES_EACH = 4;

const order = JSON.parse(await text(process.stdin)) as StockOrder;
const { name, password } = order;
const config = readConfig();
const db = openDatabase(config.databaseUrl, 1);
const app = { config, db, random: systemRandom };
const passwordHash = await hashPassword(password);

async function addAccount(email: string, role: 'handler' | 'admin', alias: string | null): Promise<void> {
  await db.transaction(async (step) => {
    if (alias !== null) await ensureAlias(step, alias);
    const id = await insertAccount(step, { email, name, role, alias, passwordHash });
    await insertAudit(step, { actor: 'e2e', action: `${role}.create`, target: id ?? '', details: { alias } });
  });
}

const stock: Stock = { desks: [], admins: [] };
for (let made = 0; made < order.desks; made++) {
  const alias = `desk-${randomUUID().slice(0, 8)}`;
  const email = `${alias}@settee.example`;
  await addAccount(email, 'handler', alias);
  const invites = [];
  for (let each = 0; each < INVITES_EACH; each++) {
    invites.push(new URL((await createInvite(app, { alias }, 'e2e')).link).pathname);
  }
  stock.desks.push({ handler: { alias, email, password }, invites });
}
for (let made = 0; made < order.admins; made++) {
  const email = `admin.${randomUUID()}@settee.example`;
  await addAccount(email, 'admin', null);
  stock.admins.push({ email, password, name });
}
await db.close();
process.stdout.write(JSON.stringify(stock));
