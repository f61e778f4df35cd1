import type { AuditEntry } from '@settee/protocol/calls/auditCalls';
import { MAIN } from '@settee/protocol/model/profile';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import type { Database } from '../platform/db/database.ts';
import { column, millis, one, raw, rows, type Sql, sql } from '../platform/db/query.ts';
import { queryWithTimeout } from '../platform/db/statementTimeout.ts';

type Actor = AuditEntry['actor'];
type Target = AuditEntry['target'];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Actors without an account; see cli.ts. */
const NOT_STAFF: Record<string, Actor['kind']> = { cli: 'commandLine', system: 'system' };
const CHOICES_MAX = 500;

export type AuditFilter = {
  actor?: string | undefined;
  action?: string | undefined;
  q?: string | undefined;
  profile?: string | undefined;
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

const LIMITS = { ms: 3_000, settings: 'set local jit = off' };

/** Entries that one call searches for a text. No index finds parts of words, and a log has millions of entries. */
const SEARCHED_AT_ONCE = 25_000;

type AuditPage = {
  entries: AuditEntry[];
  /** Null at the end of the log. */
  next: number | null;
};

/** The newest matching entries, newest first. A search can end a page early. Undefined if it timed out. */
export async function readAuditLog(
  db: Database,
  filter: AuditFilter,
  { limit, atOnce = SEARCHED_AT_ONCE }: { limit: number; atOnce?: number },
): Promise<AuditPage | undefined> {
  const { actor, action, profile, q = '' } = filter;
  const before = filter.before ?? (await readAuditHead(db)).count + 1;
  const oldest = q === '' ? 1 : Math.max(1, before - atOnce);
  const like = `%${q.replace(/[\\%_]/g, String.raw`\$&`)}%`;
  const people = sql`(select id::text from staff where name ilike ${like} or email ilike ${like}
    union all select id::text from api_keys where name ilike ${like})`;
  const found = sql`(target ilike ${like} or details::text ilike ${like} or actor in ${people} or target in ${people})`;
  const query = sql`
    select id, actor, action, target, details, ${millis('at')} as at from audit
    where ${actor === undefined ? sql`true` : sql`actor = ${actor}`}
      and ${action === undefined ? sql`true` : sql`action = ${action}`}
      and ${profile === undefined ? sql`true` : ofProfile(profile)}
      and id < ${before} and id >= ${oldest}
      and ${q === '' ? sql`true` : found}
    order by id desc limit ${limit + 1}`;
  const matching = await queryWithTimeout<Row>(db, LIMITS, query);
  if (matching === undefined) return undefined;
  const shown = matching.slice(0, limit);
  const last = matching.length > limit ? shown.at(-1) : undefined;
  const rest = oldest > 1 ? oldest : null;
  return { entries: await withNames(db, shown), next: last === undefined ? rest : Number(last.id) };
}

/** Entries name other profiles only. Written exactly as in the index. */
function ofProfile(profile: string): Sql {
  return profile === MAIN ? sql`details ->> 'profile' is null` : sql`details ->> 'profile' = ${profile}`;
}

async function withNames(db: Database, entries: readonly Row[]): Promise<AuditEntry[]> {
  const names = await readNames(
    db,
    entries.flatMap((row) => [row.actor, row.target]),
  );
  return entries.map((row) => ({
    id: Number(row.id),
    at: row.at,
    actor: actorOf(row.actor, names),
    action: row.action,
    target: names.targets.get(row.target) ?? { kind: 'other', id: row.target, name: row.target },
    details: Object.fromEntries(Object.entries(row.details).map(([key, value]) => [key, scalar(value)])),
  }));
}

export function readAuditHead(db: Database): Promise<{ count: number; hash: string }> {
  return one<{ count: number; hash: string }>(db)`
    select count::float8 as count, encode(hash, 'hex') as hash from audit_head`;
}

/** Skips through the index from value to value: the log is long, distinct values are few. */
export async function readAuditChoices(db: Database): Promise<{ actors: Actor[]; actions: string[] }> {
  const distinct = (name: 'actor' | 'action'): Promise<string[]> =>
    column<string>(db)`
      with recursive found (word) as (
        (select ${raw(name)} from audit order by 1 limit 1)
        union all
        select (select ${raw(name)} from audit where ${raw(name)} > found.word order by 1 limit 1)
        from found where found.word is not null
      )
      select word from found where word is not null limit ${CHOICES_MAX}`;
  const [actors, actions] = await Promise.all([distinct('actor'), distinct('action')]);
  const names = await readNames(db, actors);
  return { actors: actors.map((actor) => actorOf(actor, names)), actions };
}

function actorOf(actor: string, { people, keys }: Pick<Names, 'people' | 'keys'>): Actor {
  const kind = NOT_STAFF[actor] ?? (people.has(actor) ? 'staff' : keys.has(actor) ? 'key' : 'unknown');
  return { kind, id: actor, name: people.get(actor) ?? keys.get(actor) ?? actor };
}

type Names = { people: Map<string, string>; keys: Map<string, string>; targets: Map<string, Target> };

/** The current names of these ids. Entries of the first release contain some e-mail addresses. */
async function readNames(db: Database, words: string[]): Promise<Names> {
  const ids = [...new Set(words.filter((word) => UUID.test(word)))];
  const addresses = [
    ...new Set(words.filter((word) => word.includes('@')).map((word) => word.toLowerCase())),
  ];
  const [staff, conversations, invites, apiKeys, webhooks] = await Promise.all([
    rows<{ id: string; name: string; email: string }>(db)`
      select id, name, email from staff
      where id = any (${ids}::uuid[]) or lower(email) = any (${addresses}::text[])`,
    rows<{ id: string; visitorId: string; visitorName: string }>(db)`
      select id, visitor_id as "visitorId", visitor_name as "visitorName"
      from conversations where id = any (${ids}::uuid[])`,
    rows<{ id: string; label: string }>(db)`select id, label from invites where id = any (${ids}::uuid[])`,
    rows<{ id: string; name: string }>(db)`select id, name from api_keys where id = any (${ids}::uuid[])`,
    rows<{ id: string; url: string }>(db)`
      select id, url from webhook_endpoints where id = any (${ids}::uuid[])`,
  ]);
  const targets = new Map<string, Target>();
  for (const { id, name, email } of staff) {
    for (const word of [id, email]) targets.set(word, { kind: 'person', id, name });
  }
  for (const each of conversations) {
    targets.set(each.id, { kind: 'conversation', id: each.id, name: visitorNameOrLabel(each) });
  }
  for (const { id, label } of invites) targets.set(id, { kind: 'invite', id, name: label });
  for (const { id, name } of apiKeys) targets.set(id, { kind: 'key', id, name });
  for (const { id, url } of webhooks) targets.set(id, { kind: 'other', id, name: new URL(url).host });
  return { people: nameById(staff), keys: nameById(apiKeys), targets };
}

function nameById(named: readonly { id: string; name: string }[]): Map<string, string> {
  return new Map(named.map(({ id, name }) => [id, name]));
}

function scalar(value: unknown): AuditEntry['details'][string] {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
    ? (value as AuditEntry['details'][string])
    : JSON.stringify(value);
}
