import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nextMigrations } from '../../e2e/proof/topology/nextRelease.ts';
import { shippedFunctions } from '../../server/testing/installation.ts';
import { lintMigration, type Rule, rules } from './lint.ts';
import {
  hashOf,
  MIGRATIONS,
  type Migration,
  migrationFiles,
  readMigration,
  readReleased,
  statementsOf,
  unreleasedFiles,
} from './read.ts';

const RELEASES = ['0.1.0'];

/** Two migrations of 0.1.0 share a number. Their names decide the order. */
const SHARED_NUMBER = '20261115000015';

test('[OPS-56] a released migration is never changed, removed or preceded by a new one', () => {
  const released = Object.assign({}, ...Object.values(readReleased())) as Record<string, string>;
  const now = Object.fromEntries(Object.keys(released).map((file) => [file, hashOf(file)]));
  expect(now).toEqual(released);
  const last = Object.keys(released).sort().at(-1) ?? '';
  expect(unreleasedFiles().filter((file) => file < last)).toEqual([]);
});

test('[OPS-56] every migration has a unique number', () => {
  for (const file of migrationFiles()) expect(file).toMatch(/^\d{14}_[a-z_]+\.(sql|ts)$/);
  const numbers = migrationFiles().map((file) => file.slice(0, 14));
  const repeated = numbers.filter((number, index) => numbers.indexOf(number) !== index);
  expect(repeated).toEqual([SHARED_NUMBER]);
});

test('[OPS-56] an unreleased migration does not harm the previous release', async () => {
  for (const file of unreleasedFiles()) {
    const migration = await readMigration(join(MIGRATIONS, file));
    const found = lintMigration(migration, Object.keys(readReleased()));
    expect(
      found.map(({ rule, what }) => `${file}: ${what}: ${rules[rule]}`),
      file,
    ).toEqual([]);
  }
});

test('[OPS-56] a file in server/sql creates or replaces functions, and does nothing else', () => {
  for (const { name, sql } of shippedFunctions) {
    const statements = statementsOf(sql, (why) => expect.fail(`${name}: ${why}`));
    expect(
      statements.map(({ kind, body }) => [kind, body.replace]),
      name,
    ).toEqual([['CreateFunctionStmt', true]]);
  }
});

const SHORT = "set local lock_timeout = '300ms';";

function sql(text: string): Migration {
  return { name: 'planted.sql', text, calls: [text], inTransaction: true };
}

function code(...calls: string[]): Migration {
  return { name: 'planted.ts', text: calls.join('\n'), calls, inTransaction: false };
}

const planted: [Rule, Migration][] = [
  ['drop', sql(`${SHORT} drop table notes`)],
  ['drop', sql(`${SHORT} alter table notes drop column text`)],
  ['drop', sql(`${SHORT} alter table notes alter column text drop default`)],
  ['drop', sql(`${SHORT} drop function append_messages`)],
  ['drop', sql(`${SHORT} drop table notes; -- unused since 9.9.9`)],
  ['rename', sql(`${SHORT} alter table notes rename to remarks`)],
  ['rename', sql(`${SHORT} alter table notes rename column text to words`)],
  ['retype', sql(`${SHORT} alter table messages alter column seq type bigint`)],
  ['notNull', sql(`${SHORT} alter table messages add column mood text not null`)],
  ['notNull', sql(`${SHORT} alter table messages alter column text set not null`)],
  ['rewrite', sql(`${SHORT} alter table messages add column key uuid default gen_random_uuid()`)],
  [
    'rewrite',
    sql(`${SHORT} alter table messages add column long int generated always as (length(text)) stored`),
  ],
  ['validate', sql(`${SHORT} alter table messages add constraint some_rule check (seq > 0)`)],
  ['validate', sql(`${SHORT} alter table messages add column mood text check (mood <> '')`)],
  ['index', sql(`${SHORT} create index messages_author on messages (author_id)`)],
  ['index', sql('create index concurrently messages_author on messages (author_id)')],
  ['index', code('drop index messages_once')],
  ['lockTimeout', sql('alter table messages add column mood text')],
  ['lockTimeout', sql("set local lock_timeout = '3s'; alter table messages add column mood text")],
  ['lockTimeout', sql('create trigger t before insert on messages for each row execute function f()')],
  ['lockTimeout', sql('create table moods (id uuid primary key references conversations (id))')],
  ['lockTimeout', code('do $$ begin alter table messages add column mood text; end $$')],
  ['order', sql(`${SHORT} alter table brand add column mood text; alter table invites add column mood text`)],
  [
    'order',
    sql(
      `${SHORT} alter table conversations add column a int; create table b (id uuid references media (id))`,
    ),
  ],
  ['long', sql("update conversations set preview = ''")],
  ['long', sql('insert into notes select * from messages')],
  ['long', sql('lock table messages')],
  ['long', sql('select pg_sleep(60)')],
  ['long', code("update conversations set preview = ''")],
  ['long', code('do $$ begin delete from messages; end $$')],
  ['unknown', code("do $$ begin execute 'drop table messages'; end $$")],
  ['unknown', sql("alter type mood add value 'x'")],
];

describe('[OPS-56] each way to harm the previous release is found', () => {
  test.each(planted.map(([rule, migration]) => ({ rule, migration, text: migration.text })))(
    '$rule: $text',
    ({ rule, migration }) => {
      expect(lintMigration(migration, RELEASES).map((finding) => finding.rule)).toContain(rule);
    },
  );

  test('every rule has its planted violation', () => {
    expect(new Set(planted.map(([rule]) => rule))).toEqual(new Set(Object.keys(rules)));
  });
});

test.each([
  sql(`${SHORT} alter table messages add column mood text, add column at timestamptz not null default now()`),
  sql(
    `${SHORT} create table moods (id uuid primary key references conversations (id)); create index on moods (id)`,
  ),
  sql(`${SHORT} alter table notes add constraint some_rule check (text <> '') not valid`),
  sql(`${SHORT} alter table notes drop column text; -- unused since 0.1.0`),
  sql(
    'create function f() returns trigger language plpgsql as $$ begin delete from messages; return new; end $$',
  ),
  code(
    'drop index concurrently if exists some_rule',
    'create index concurrently some_rule on messages (author_id)',
  ),
  sql(`${SHORT} alter table invites add column mood text; alter table brand add column mood text`),
  code(
    "set lock_timeout = '300ms'",
    'alter table brand add column mood text',
    'alter table invites add column mood text',
  ),
  code("set lock_timeout = '300ms'", 'alter table notes validate constraint some_rule'),
  code(
    "do $$ begin loop update notes set text = '' where id in (select id from notes limit 500); commit; end loop; end $$",
  ),
])('[OPS-56] tolerant changes pass: $text', (migration) => {
  expect(lintMigration(migration, RELEASES)).toEqual([]);
});

test('[OPS-56] the next release of the rolling upgrade follows the rules', () => {
  const [expand = ''] = Object.values(nextMigrations);
  expect(lintMigration(sql(expand), RELEASES)).toEqual([]);
});
