import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyAudit } from '../../src/audit/verifyAudit.ts';
import { insertAudit } from '../../src/platform/db/audit.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { doctorOf } from '../support/operatorWorld.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

let database: TestDatabase;
let application: Database;
let owner: Database;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  await migrate({ databaseUrl: database.url, databaseOwnerUrl: database.ownerUrl });
  application = openDatabase(database.url, 1);
  owner = openDatabase(database.ownerUrl, 1);
  for (let number = 1; number <= 5; number += 1)
    await insertAudit(application, { actor: 'cli', action: 'retention.run', target: `${number}` });
});
afterAll(async () => {
  await Promise.all([application.close(), owner.close()]);
});

const AUDIT_VALUES = `(1, now(), 'cli', 'retention.run', 'x', '{}', '', '')`;

/** Each would change the audit log, or prepare a change. */
const FORBIDDEN = [
  // Rows.
  "update audit set actor = 'x'",
  'delete from audit',
  'delete from audit where id > 3',
  'truncate audit',
  "merge into audit a using (select 1) s on a.id = 1 when matched then update set actor = 'x'",
  `insert into audit values ${AUDIT_VALUES}`,
  `insert into audit (actor, action, target, hash) values ('cli', 'retention.run', 'x', '')`,
  `insert into audit (actor, action, target) values ('a', 'b', 'c') on conflict (id) do update set actor = 'x'`,
  'copy audit from stdin',
  'copy audit (actor, action, target, details, hash) from stdin',
  "copy audit from program 'true'",
  'select * from audit for update',
  'do $$ begin lock table audit in access exclusive mode; end $$',
  'update audit_head set count = 1',
  "update audit_head set count = count + 1, hash = ''",
  'delete from audit_head',
  'truncate audit_head',
  "insert into audit_head values (false, 1, '')",
  'select * from audit_head for update',
  'do $$ begin delete from audit; end $$',
  // Triggers and rules.
  'alter table audit disable trigger all',
  'alter table audit disable trigger user',
  'alter table audit disable trigger audit_insert_only',
  'alter table audit_head disable trigger user',
  'drop trigger audit_insert_only on audit',
  'create trigger mine before insert on audit for each row execute function refuse_audit_change()',
  'create rule mine as on insert to audit do instead nothing',
  'set session_replication_role = replica',
  'alter role current_user set session_replication_role = replica',
  "update pg_trigger set tgenabled = 'D'",
  // Tables.
  'drop table audit',
  'drop table audit cascade',
  'alter table audit rename to mine',
  'alter table audit drop column hash',
  'alter table audit add column mine text',
  'alter table audit owner to current_user',
  'alter table audit set unlogged',
  'alter table audit enable row level security',
  'create policy mine on audit using (true)',
  'drop index audit_actor',
  'cluster audit using audit_pkey',
  'drop schema public cascade',
  'alter schema public rename to mine',
  'drop table conversations cascade',
  'truncate conversations cascade',
  'alter table conversations add column mine text',
  // Functions.
  `create or replace function chain_audit() returns trigger language plpgsql as 'begin return new; end'`,
  `create or replace function audit_hash(prev bytea, id bigint, at timestamptz, actor text, action text, target text,
     details jsonb) returns bytea language sql as $$ select ''::bytea $$`,
  `create or replace function refuse_audit_change() returns trigger language plpgsql as 'begin return null; end'`,
  `create or replace function guard_audit_head() returns trigger language plpgsql as 'begin return new; end'`,
  'alter function chain_audit() security invoker',
  'alter function chain_audit() set search_path = mine',
  'drop function chain_audit() cascade',
  // New objects.
  'create table mine ()',
  'create temporary table audit_head (only_row boolean, count bigint, hash bytea)',
  'create view mine as select 1',
  'create schema mine',
  `create function mine() returns integer language sql as 'select 1'`,
  'create extension pg_stat_statements',
  'create database mine',
  'create role mine',
  // Other roles, migrations and files.
  'set role OWNER',
  'set session authorization OWNER',
  'alter role current_user superuser',
  'grant OWNER to current_user',
  'update migrations set name = name',
  'delete from applied_functions',
  "select pg_read_file('/etc/hostname')",
];

const attempt = (statement: string) =>
  application.pool.query(statement.replace('OWNER', new URL(database.ownerUrl).username));

/** Everything that protects the log. */
async function protection(): Promise<unknown> {
  const { rows } = await owner.pool.query(`
    select
      (select jsonb_agg(a order by a.id) from audit a) as log,
      (select jsonb_agg(h) from audit_head h) as head,
      (select jsonb_agg(jsonb_build_array(tgname, tgenabled, tgfoid::regproc, tgtype) order by tgname) from pg_trigger
       where tgrelid in ('audit'::regclass, 'audit_head'::regclass)) as triggers,
      (select jsonb_agg(jsonb_build_array(relname, relowner, relacl::text, relrowsecurity, relhasrules) order by relname)
       from pg_class where relnamespace = 'public'::regnamespace) as tables,
      (select jsonb_agg(jsonb_build_array(proname, prosrc, proowner, prosecdef, proconfig) order by proname, prosrc)
       from pg_proc where pronamespace = 'public'::regnamespace) as functions`);
  return rows[0];
}

test('[PRIV-01] as the application role, every statement that would change the audit log is refused', async () => {
  const before = await protection();
  const accepted: string[] = [];
  for (const statement of FORBIDDEN) {
    let code: string | undefined;
    const codeOf = (error: { code?: string }) => error.code;
    // Without an answer in time there is no code: the machine can stand still for seconds.
    while (code === undefined) code = await attempt(statement).then(() => 'none', codeOf);
    if (code !== INSUFFICIENT_PRIVILEGE) accepted.push(`${statement}: ${code}`);
  }
  expect(accepted).toEqual([]);
  // These end with a warning instead of an error.
  for (const statement of [
    'grant update, delete on audit to current_user',
    'grant all on function chain_audit() to current_user',
    'revoke all on audit from OWNER',
    'vacuum full audit',
  ])
    await attempt(statement);
  expect(await protection()).toEqual(before);
});

test('[PRIV-01] the application role adds to the audit log and reads it, and the chain is intact', async () => {
  await insertAudit(application, { actor: 'cli', action: 'retention.run', target: 'one more' });
  const { rows } = await application.pool.query('select target from audit order by id desc limit 1');
  expect(rows).toEqual([{ target: 'one more' }]);
  expect(await verifyAudit({ db: application })).toMatchObject({ whole: true, count: 6 });
});

test('a migration grants new tables, and keeps the role as it is', async () => {
  await owner.pool.query('create table later (id integer)');
  await expect(application.pool.query('select from later')).rejects.toThrow('permission denied');
  await migrate({ databaseUrl: database.url, databaseOwnerUrl: database.ownerUrl });
  await application.pool.query('insert into later values (1)');
  await owner.pool.query('drop table later');
});

test('doctor warns if the role of the gateways can change the audit log', async () => {
  const SECRET = 's'.repeat(32);
  const findings = async (url: string) =>
    (await doctorOf({ DATABASE_URL: url, SECRET }, { offline: true })).filter(
      ({ check }) => check === 'database role',
    );
  expect(await findings(database.url)).toEqual([
    { check: 'database role', level: 'ok', says: 'settee_app cannot change the audit log' },
  ]);
  expect(await findings(database.ownerUrl)).toEqual([
    {
      check: 'database role',
      level: 'warning',
      says: `${new pg.Client(database.ownerUrl).user} can change the audit log`,
      remedy: expect.stringContaining('DATABASE_OWNER_URL'),
    },
  ]);
});
