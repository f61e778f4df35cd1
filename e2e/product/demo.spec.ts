import { spawn } from 'node:child_process';
import pg from 'pg';
import { freePort } from '../../tools/freePorts.ts';
import { inDatabase } from './database.ts';
import { newPerson, signInWithForm, startChatWithForms } from './people.ts';
import { test as base, expect, nightly } from './watched.ts';

const LIVES_SECONDS = 90;
/** Seeding takes seconds, or longer on a busy machine. */
const STARTS_WITHIN_MS = 150_000;

type Demo = {
  url: string;
  name: string;
  database: pg.Client;
  printed(): string;
  ended: Promise<number | null>;
};

/** Starts the demo as `npm run demo` does, on a separate port. */
function spawnDemo(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ['bin/demo.ts', ...args], {
    cwd: `${import.meta.dirname}/../..`,
    env: { ...process.env, PUBLIC_URL: '', ...env },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return { child, printed: () => printed, ended };
}

const test = base.extend<object, { demo: Demo }>({
  demo: [
    async ({ browserName: _ }, use) => {
      const before = await demoDatabases();
      const port = String(await freePort());
      const { child, printed, ended } = spawnDemo(['--seconds', String(LIVES_SECONDS)], { PORT: port });
      await expect.poll(printed, { timeout: STARTS_WITHIN_MS }).toContain('Ctrl+C ends the demo');
      const [name = ''] = (await demoDatabases()).filter((each) => !before.includes(each));
      const address = new URL(process.env.DATABASE_URL ?? '');
      address.pathname = `/${name}`;
      const database = new pg.Client(address.href);
      // The demo drops its database when it ends, which closes this connection.
      database.on('error', () => {});
      await database.connect();
      await use({ url: `http://localhost:${port}`, name, database, printed, ended });
      await database.end().catch(() => {});
      child.kill('SIGTERM');
      await ended;
    },
    { scope: 'worker', timeout: STARTS_WITHIN_MS + 60_000 },
  ],
  baseURL: ({ demo }, use) => use(demo.url),
});

async function demoDatabases(): Promise<string[]> {
  const { rows } = await inDatabase<{ name: string }>(
    "select datname as name from pg_database where datname like 'demo\\_%' order by oid",
    [],
  );
  return rows.map(({ name }) => name);
}

test(
  'the demo is live: a visitor can try it, its queue moves, nothing is lost',
  nightly,
  async ({ demo, page, browser }) => {
    const { database, printed } = demo;
    const { page: visitor, context } = await newPerson(browser);
    const link = /Try it as a visitor\s+(\S+)/.exec(printed())?.[1] ?? '';
    await startChatWithForms(visitor, link, 'Tom');
    await context.close();

    const password = /east@settee\.example \/ (\S+)/.exec(printed())?.[1] ?? '';
    await signInWithForm(page, { alias: 'mara-east', email: 'east@settee.example', password });
    // A seeded conversation, left for the user to answer.
    await expect(page.getByRole('link', { name: /Adaeze Obi/ })).toBeVisible();
    const cast = page.getByRole('link', { name: /Rosa Delgado|Ben Carter|Yara Nasser|Lukas Maier/ });
    await expect(cast.first()).toBeVisible({ timeout: LIVES_SECONDS * 1_000 });

    const admin = { email: 'ana@settee.example', password };
    // The password is enough: the demo asks for no second factor.
    const signedIn = await page.request.post('/auth/staff/sign-in', { data: admin });
    const { staff } = (await signedIn.json()) as { staff: { enrolBy: unknown } };
    expect(staff.enrolBy).toBeNull();

    const { rows: broken } = await database.query(
      `select c.id from conversations c left join messages m on m.conversation_id = c.id
     group by c.id having count(m.seq) <> c.last_seq or coalesce(max(m.seq), 0) <> c.last_seq`,
    );
    expect(broken).toEqual([]);
    const { rows: states } = await database.query('select distinct state from invites order by state');
    expect(states.map(({ state }) => state)).toEqual(['BOUND', 'NEW', 'REVOKED', 'SEEN']);

    expect(await demo.ended).toBe(0);
    const [, acknowledged = '0', stored] =
      /(\d+) messages were acknowledged, (\d+) of them are stored/.exec(printed()) ?? [];
    expect(Number(acknowledged)).toBeGreaterThan(3);
    expect(stored).toBe(acknowledged);
    // Nothing remains of the demo.
    expect(await demoDatabases()).not.toContain(demo.name);
  },
);

base('the demo has public passwords, so it refuses every address but this machine’s own', async () => {
  const { printed, ended } = spawnDemo([], { PUBLIC_URL: 'https://chat.example.org', PORT: '1' });
  expect(await ended).toBe(1);
  expect(printed()).toContain('chat.example.org is not this machine');
});
