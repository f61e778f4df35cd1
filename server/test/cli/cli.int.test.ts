import { afterAll, beforeAll, expect, test } from 'vitest';
import { setupHint } from '../../src/staff/signIn/setupHint.ts';
import { PASSWORD } from '../support/browser.ts';
import { auditOf, withApp } from '../support/factors.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { settee as runSettee } from '../support/operatorWorld.ts';
import { startProduct } from '../support/productProcess.ts';
import { writeConversations } from '../support/writtenConversations.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { publicUrl: 'http://localhost:8080', lookupsPerMinute: 1_000 } });
});
afterAll(() => server.close());

function settee(args: string[], { input = '', env = {} as Record<string, string> } = {}) {
  const { databaseUrl, app } = server;
  return runSettee(args, { DATABASE_URL: databaseUrl, SECRET: app.config.secret, ...env }, input);
}

function signIn(email: string, password: string) {
  return server.request('POST', '/auth/staff/sign-in', { body: { email, password } });
}

test('[ADMIN-14] the setup code is printed as long as there is no administrator', async () => {
  const printed = await settee(['setup', 'code'], { env: { PUBLIC_URL: 'http://localhost:8080' } });
  expect(printed.out).toBe(`${await setupHint(server.app)}\n`);
  await settee(['admin', 'create', '--email', 'first@settee.example']);
  expect(await settee(['setup', 'code'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('is already set up'),
  });
});

test('[ADMIN-36] a created account has no password; a link that works once chooses it', async () => {
  const made = await settee(['admin', 'create', '--email', 'ada@settee.example', '--name', 'Ada']);
  expect([made.code, made.err]).toEqual([0, '']);
  const token = /^http:\/\/localhost:8080\/handler\/password#(\S{32})$/m.exec(made.out)?.[1] ?? '';
  const { rows } = await server.app.db.pool.query(
    `select password_hash as hash, (select array_agg(action::text order by audit.id) from audit where target = staff.id::text) as log
     from staff where email = 'ada@settee.example'`,
  );
  expect(rows).toEqual([{ hash: null, log: ['admin.create', 'staff.passwordLink'] }]);
  const choose = (password: string) =>
    server.request('POST', '/auth/staff/password', { body: { token, password } });
  expect((await choose('a chosen password')).status).toBe(200);
  expect((await choose('another password')).body.code).toBe('link_void');
  expect((await signIn('ada@settee.example', 'a chosen password')).body.staff).toMatchObject({
    name: 'Ada',
    role: 'admin',
  });
  const again = await settee(['admin', 'create', '--email', 'ADA@settee.example']);
  expect([again.code, again.err]).toEqual([1, 'An account with this e-mail address already exists\n']);
});

test('a handler is created with a password from standard input, and gets invites', async () => {
  const person = ['--alias', 'mara-east', '--email', 'mara@settee.example', '--password-stdin'];
  const made = await settee(['handler', 'create', ...person], { input: 'a long enough password\n' });
  expect(made).toEqual({ code: 0, out: 'Created mara@settee.example.\n', err: '' });
  expect((await signIn('mara@settee.example', 'a long enough password')).body.staff.alias).toBe('mara-east');
  const { out } = await settee(['invite', 'create', '--alias', 'mara-east', '--count', '2']);
  const links = out.trim().split('\n');
  expect(new Set(links).size).toBe(2);
  for (const link of links) {
    expect(link).toMatch(/^http:\/\/localhost:8080\/i\/a0[A-Za-z0-9_-]{32}$/);
    const { body } = await server.request('GET', `/checkInvite/${link.split('/').at(-1)}`);
    expect(body.state).toBe('NEW');
  }
  const { rows } = await server.app.db.pool.query('select action from audit order by id');
  expect(rows.map((row) => row.action)).toEqual(expect.arrayContaining(['handler.create', 'invite.create']));
});

test('[ADMIN-36] an operator makes a new password link for a person, which voids the old password', async () => {
  const person = ['--alias', 'lost', '--email', 'lost@settee.example', '--password-stdin'];
  await settee(['handler', 'create', ...person], { input: 'the password they lost\n' });
  const made = await settee(['staff', 'password-link', '--email', 'LOST@settee.example']);
  const token = /^http:\/\/localhost:8080\/handler\/password#(\S{32})\n$/.exec(made.out)?.[1] ?? '';
  expect((await signIn('lost@settee.example', 'the password they lost')).status).toBe(401);
  const chosen = { token, password: 'another password' };
  expect((await server.request('POST', '/auth/staff/password', { body: chosen })).status).toBe(200);
  expect((await signIn('lost@settee.example', 'another password')).status).toBe(200);
  const nobody = await settee(['staff', 'password-link', '--email', 'nobody@settee.example']);
  expect([nobody.code, nobody.err]).toEqual([1, 'There is no such person\n']);
});

test('[AUDIT-03] an operator removes a lost second factor; sessions end, and the log names the operator', async () => {
  const { email, browser } = await withApp(server, 'admin');
  const reset = await settee(['staff', 'reset-factor', '--email', email.toUpperCase()]);
  expect([reset.code, reset.err]).toEqual([0, '']);
  expect((await browser.call('GET', '/account')).status).toBe(401);
  expect((await signIn(email, PASSWORD)).body.staff).toMatchObject({
    role: 'admin',
    mustEnrol: false,
    enrolBy: expect.any(Number),
  });
  for (const table of ['staff_totp', 'staff_passkeys', 'staff_recovery_codes']) {
    const { rows } = await server.app.db.pool.query(
      `select 1 from ${table} join staff on staff.id = staff_id where email = $1`,
      [email],
    );
    expect([table, rows.length]).toEqual([table, 0]);
  }
  expect(await auditOf(server, email)).toContainEqual({
    actor: 'cli',
    action: 'factor.reset',
    details: { had: true },
  });
});

test('a mistake prints one sentence and exits with 1', async () => {
  const mistakes = [
    [['invite', 'create', '--alias', 'nobody'], 'There is no desk nobody'],
    [['invite', 'create'], 'invite create requires --alias'],
    [['dance'], 'There is no command "dance"'],
  ] as const;
  for (const [args, text] of mistakes) {
    const { code, err } = await settee([...args]);
    expect(code, err).toBe(1);
    expect(err).toContain(text);
    expect(err).not.toContain('    at ');
  }
  const { err } = await settee(['setup', 'code'], { env: { SECRET: 'short', PORT: 'x' } });
  expect(err).toContain('SECRET must have at least 32 characters');
  expect(err).toContain('PORT must be');
});

test('a command counts expired conversations, and a command erases them', async () => {
  const { pool } = server.app.db;
  const ids = await writeConversations(server, { alias: 'old-desk', conversations: 3, messages: 2 });
  await pool.query(
    "update conversations set last_message_at = now() - interval '40 days' where id = any($1)",
    [ids.slice(0, 2)],
  );
  await pool.query('update brand set keep_days = 30');
  const left = async () => (await pool.query('select from conversations where id = any($1)', [ids])).rowCount;
  expect((await settee(['retention', 'run', '--dry-run'])).out).toBe(
    'Would erase 2 conversations and 0 invite links.\n',
  );
  expect(await left()).toBe(3);
  expect((await settee(['retention', 'run'])).out).toBe('Erased 2 conversations and 0 invite links.\n');
  expect(await left()).toBe(1);
});

test('help prints everything, or a group, with the command’s name as it was called', async () => {
  const all = await settee(['--help']);
  expect([all.code, all.out.split('\n')[0]]).toEqual([0, 'settee COMMAND [OPTIONS]']);
  expect(all.out).toContain('invite create');
  const { code, out } = await settee(['help', 'backup'], { env: { npm_lifecycle_event: 'settee' } });
  expect(code).toBe(0);
  expect(out).toMatch(/^npm run settee -- COMMAND/);
  expect(out).toContain('backup verify');
  expect(out).not.toMatch(/invite create/);
});

test('a wrong database password, or no database, is one line that says what to do', async () => {
  const wrong = new URL(server.databaseUrl);
  wrong.password = 'wrong';
  const away = new URL(server.databaseUrl);
  away.port = '1';
  for (const [url, says] of [
    [wrong, 'PostgreSQL refuses the user or the password. Set the correct ones in DATABASE_URL.'],
    [away, 'PostgreSQL does not answer (ECONNREFUSED). Check that PostgreSQL is running'],
  ] as const) {
    for (const args of [['migrate'], ['setup', 'code']]) {
      const { code, out, err } = await settee(args, { env: { DATABASE_URL: url.href } });
      expect([args[0], code, out]).toEqual([args[0], 1, '']);
      expect([args[0], err]).toEqual([args[0], expect.stringContaining(says)]);
      expect([args[0], err.trim().split('\n').length]).toEqual([args[0], 1]);
    }
  }
  const gateway = await startProduct('gateway', { DATABASE_URL: away.href, PRIVATE_PORT: '' });
  await gateway.ended;
  expect(gateway.output().trim().split('\n')).toEqual([expect.stringContaining('ECONNREFUSED')]);
});
