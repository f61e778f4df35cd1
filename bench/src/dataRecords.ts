import type { BenchDatabase } from './stage.ts';

/** For 300,000 conversations: 80,000 invites that nobody claimed, and a million entries of the audit log. */
const UNUSED = 80 / 300;
const AUDITED = 1_000 / 300;
/** More than one call searches, so that the call is as long at both sizes. */
const AUDITED_MIN = 60_000;

/** Adds unclaimed invites and entries of the audit log, until there are as many as such an installation has. */
export async function seedRecords(
  database: BenchDatabase,
  { desks, conversations }: { desks: number; conversations: number },
): Promise<void> {
  await database.run(INVITES, [desks, Math.round(conversations * UNUSED)]);
  await database.run('alter table audit disable trigger user');
  await database.run('alter table audit_head disable trigger user');
  await database.run(AUDIT, [Math.max(AUDITED_MIN, Math.round(conversations * AUDITED))]);
  await database.run('update audit_head set count = (select max(id) from audit)');
  await database.run('alter table audit_head enable trigger user');
  await database.run('alter table audit enable trigger user');
  await database.run('vacuum (analyze) invites, audit, invite_counts');
}

/** A third is revoked, and half of the others have expired. */
const INVITES = `
insert into invites (token_hash, label, handler_alias, state, created_at, expires_at)
select sha256(('unclaimed ' || n)::bytea), 'Unclaimed ' || n, 'desk-' || n % $1::integer,
  (array['NEW', 'SEEN', 'REVOKED'])[1 + n % 3], now() - interval '90 days' * (n::float8 / $2::integer),
  now() + interval '60 days' * (1 - 2 * n::float8 / $2::integer)
from generate_series((select count(*)::integer + 1 from invites where state <> 'BOUND'), $2::integer) n`;

/** Without hashes: nothing here verifies the chain. */
const AUDIT = `
insert into audit (id, at, actor, action, target, details, prev, hash)
select n, now(), 'cli', (array['conversation.view', 'conversation.close', 'note.add'])[1 + n % 3],
  gen_random_uuid()::text, jsonb_build_object('alias', 'desk-' || n % 200), '', ''
from generate_series((select count + 1 from audit_head), $1::bigint) n`;
