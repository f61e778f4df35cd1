// Prints many new administrators as JSON, for the same reason as stockDesks.ts. `settee admin create` runs the same
// action.
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { createAdmin } from '../../server/src/actions/staff/createAccount.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { openDatabase } from '../../server/src/db/engine/database.ts';

const ADMINS = 8;

const { name, password } = JSON.parse(await text(process.stdin)) as { name: string; password: string };
const db = openDatabase(readConfig().databaseUrl, 1);
const admins = [];
for (let made = 0; made < ADMINS; made++) {
  const email = `admin.${randomUUID()}@settee.example`;
  await createAdmin({ db }, { email, name, password }, 'e2e');
  admins.push({ email, password, name });
}
await db.close();
process.stdout.write(JSON.stringify(admins));
