// Prints many new desks, each with a handler and some invites, as JSON. One process per desk took longer than most
// tests. `settee handler create` and `invite create` run the same actions.
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { createInvite } from '../../server/src/actions/invite/createInvites.ts';
import { createHandler } from '../../server/src/actions/staff/createAccount.ts';
import { systemRandom } from '../../server/src/adapters/system.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { openDatabase } from '../../server/src/db/engine/database.ts';

const DESKS = 8;
const INVITES_EACH = 2;

const { name, password } = JSON.parse(await text(process.stdin)) as { name: string; password: string };
const config = readConfig();
const db = openDatabase(config.databaseUrl, 1);
const app = { config, db, random: systemRandom };
const desks = [];
for (let made = 0; made < DESKS; made++) {
  const alias = `desk-${randomUUID().slice(0, 8)}`;
  const email = `${alias}@settee.example`;
  await createHandler(app, { alias, email, name, password }, 'e2e');
  const invites = [];
  for (let each = 0; each < INVITES_EACH; each++) {
    invites.push(new URL((await createInvite(app, { alias }, 'e2e')).link).pathname);
  }
  desks.push({ handler: { alias, email, password }, invites });
}
await db.close();
process.stdout.write(JSON.stringify(desks));
