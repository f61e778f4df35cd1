import type { ApiKey, Scope } from '@settee/protocol/model/apiKey';
import { changed, type Db, first, millis, one, rows, run, sql, value } from '../platform/db/query.ts';

const USABLE = sql`k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`;
/** So that a busy key does not write with every request. */
const USED_RECENTLY = sql`coalesce(k.last_used_at > now() - interval '1 minute', false)`;

/** Undefined for an unknown, revoked or expired key. */
export function findApiKey(
  db: Db,
  keyHash: Buffer,
): Promise<{ keyId: string; scopes: Scope[]; usedRecently: boolean } | undefined> {
  return first<{ keyId: string; scopes: Scope[]; usedRecently: boolean }>(db, 'api-key')`
    select k.id as "keyId", k.scopes, ${USED_RECENTLY} as "usedRecently"
    from api_keys k where k.key_hash = ${keyHash} and ${USABLE}`;
}

export function markApiKeyUsed(db: Db, keyId: string): Promise<void> {
  return run(db)`update api_keys k set last_used_at = now() where k.id = ${keyId} and not ${USED_RECENTLY}`;
}

const COLUMNS = sql`k.id, k.name, k.prefix, k.scopes,
  ${millis('k.created_at')} as "createdAt",
  coalesce(s.name, '') as "createdBy", coalesce(s.active, false) as "creatorActive",
  ${millis('k.expires_at')} as "expiresAt", ${millis('k.last_used_at')} as "lastUsedAt"`;

/** Those that are not revoked, newest first. Expired ones stay until somebody revokes them. */
export function listApiKeys(db: Db): Promise<ApiKey[]> {
  return rows<ApiKey>(db)`
    select ${COLUMNS} from api_keys k left join staff s on s.id = k.created_by
    where k.revoked_at is null order by k.created_at desc, k.id`;
}

/** Locks the table against other new keys until the commit. */
export async function countApiKeys(db: Db): Promise<number> {
  await run(db)`select pg_advisory_xact_lock(hashtextextended('api keys', 0))`;
  return (await value<number>(db)`select count(*)::integer from api_keys where revoked_at is null`) ?? 0;
}

export function insertApiKey(
  db: Db,
  key: {
    keyHash: Buffer;
    prefix: string;
    name: string;
    scopes: readonly Scope[];
    days: number | null;
    createdBy: string;
  },
): Promise<ApiKey> {
  return one<ApiKey>(db)`
    with k as (
      insert into api_keys (key_hash, prefix, name, scopes, created_by, expires_at)
      values (${key.keyHash}, ${key.prefix}, ${key.name}, ${key.scopes}::text[], ${key.createdBy},
        now() + make_interval(days => ${key.days}::integer))
      returning *
    )
    select ${COLUMNS} from k left join staff s on s.id = k.created_by`;
}

/** False if there is none. */
export function revokeApiKey(db: Db, keyId: string): Promise<boolean> {
  return changed(db)`update api_keys set revoked_at = now() where id = ${keyId} and revoked_at is null`;
}
