import type { AuditEntry } from '@settee/protocol/calls/auditCalls';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import { queryWithTimeout } from '../engine/statementTimeout.ts';

type Who = AuditEntry['actor'];
type What = AuditEntry['target'];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Actors without an account; see cli.ts. */
const NOT_STAFF: Record<string, Who['kind']> = { cli: 'commandLine', system: 'system' };
/** Maximum choices per filter. */
const CHOICES_MAX = 500;

export type AuditFilter = {
  actor?: string | undefined;
  action?: string | undefined;
  q?: string | undefined;
  before?: number | undefined;
};

type Row = {
  id: string;
  at: number;
  actor: string;
  action: string;
  target: string;
  details: Record<string, unknown>;
};

/** Rare matches may be far back in a long log, so the query has a timeout. */
const LIMITS = { ms: 3_000, settings: 'set local jit = off' };

/** The newest matching entries, newest first. Undefined if the search timed out. */
export async function readAuditLog(
  db: Database,
  filter: AuditFilter,
  limit: number,
): Promise<AuditEntry[] | undefined> {
  const { actor, action, before, q = '' } = filter;
  const like = `%${q.replace(/[\\%_]/g, String.raw`\$&`)}%`;
  let query = db.sql
    .selectFrom('audit')
    .select(['id', 'actor', 'action', 'target', 'details'])
    .select(sql<number>`floor(extract(epoch from at) * 1000)::float8`.as('at'))
    .orderBy('id', 'desc')
    .limit(limit);
  if (actor !== undefined) query = query.where('actor', '=', actor);
  if (action !== undefined) query = query.where('action', '=', action);
  if (before !== undefined) query = query.where('id', '<', String(before));
  if (q !== '') {
    const people = sql`(select id::text from staff where name ilike ${like} or email ilike ${like})`;
    query = query.where(
      sql<boolean>`(target ilike ${like} or details::text ilike ${like} or actor in ${people} or target in ${people})`,
    );
  }
  const { sql: text, parameters } = query.compile();
  const rows = await queryWithTimeout<Row>(db, LIMITS, text, [...parameters]);
  if (rows === undefined) return undefined;
  const names = await readNames(
    db,
    rows.flatMap((row) => [row.actor, row.target]),
  );
  return rows.map((row) => ({
    id: Number(row.id),
    at: row.at,
    actor: whoIs(row.actor, names.people),
    action: row.action,
    target: names.targets.get(row.target) ?? { kind: 'other', id: row.target, name: row.target },
    details: Object.fromEntries(Object.entries(row.details).map(([key, value]) => [key, scalar(value)])),
  }));
}

export async function readAuditHead(db: Database): Promise<{ count: number; hash: string }> {
  const head = await db.sql.selectFrom('audit_head').select(['count', 'hash']).executeTakeFirstOrThrow();
  return { count: Number(head.count), hash: head.hash.toString('hex') };
}

/** Skips through the index from value to value: the log is long, distinct values are few. */
export async function readAuditChoices(db: Database): Promise<{ actors: Who[]; actions: string[] }> {
  const distinct = async (column: 'actor' | 'action'): Promise<string[]> => {
    const { rows } = await sql<{ word: string }>`
      with recursive found (word) as (
        (select ${sql.ref(column)} from audit order by 1 limit 1)
        union all
        select (select ${sql.ref(column)} from audit where ${sql.ref(column)} > found.word order by 1 limit 1)
        from found where found.word is not null
      )
      select word from found where word is not null limit ${CHOICES_MAX}`.execute(db.sql);
    return rows.map((row) => row.word);
  };
  const [actors, actions] = await Promise.all([distinct('actor'), distinct('action')]);
  const { people } = await readNames(db, actors);
  return { actors: actors.map((actor) => whoIs(actor, people)), actions };
}

function whoIs(actor: string, people: ReadonlyMap<string, string>): Who {
  const kind = NOT_STAFF[actor] ?? (people.has(actor) ? 'staff' : 'unknown');
  return { kind, id: actor, name: people.get(actor) ?? actor };
}

/** The current names of these ids. Entries of the first release contain some e-mail addresses. */
async function readNames(
  db: Database,
  words: string[],
): Promise<{ people: Map<string, string>; targets: Map<string, What> }> {
  const ids = [...new Set(words.filter((word) => UUID.test(word)))];
  const addresses = [
    ...new Set(words.filter((word) => word.includes('@')).map((word) => word.toLowerCase())),
  ];
  const [staff, conversations, invites] = await Promise.all([
    db.sql
      .selectFrom('staff')
      .select(['id', 'name', 'email'])
      .where((or) =>
        or.or([
          or('id', '=', sql<string>`any (${ids}::uuid[])`),
          or(sql<string>`lower(email)`, '=', sql<string>`any (${addresses}::text[])`),
        ]),
      )
      .execute(),
    db.sql
      .selectFrom('conversations')
      .select(['id', 'visitor_id as visitorId', 'visitor_name as visitorName'])
      .where('id', '=', sql<string>`any (${ids}::uuid[])`)
      .execute(),
    db.sql
      .selectFrom('invites')
      .select(['id', 'label'])
      .where('id', '=', sql<string>`any (${ids}::uuid[])`)
      .execute(),
  ]);
  const targets = new Map<string, What>();
  for (const { id, name, email } of staff) {
    for (const word of [id, email]) targets.set(word, { kind: 'person', id, name });
  }
  for (const each of conversations) {
    targets.set(each.id, { kind: 'conversation', id: each.id, name: visitorNameOrLabel(each) });
  }
  for (const { id, label } of invites) targets.set(id, { kind: 'invite', id, name: label });
  return { people: new Map(staff.map(({ id, name }) => [id, name])), targets };
}

function scalar(value: unknown): AuditEntry['details'][string] {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
    ? (value as AuditEntry['details'][string])
    : JSON.stringify(value);
}
