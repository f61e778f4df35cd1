import { changed, type Db, first, one, run } from '../platform/db/query.ts';

/** The previous link becomes void. */
export async function replacePasswordLink(
  db: Db,
  link: { staffId: string; tokenHash: Buffer; hours: number },
): Promise<Date> {
  const { expiresAt } = await one<{ expiresAt: Date }>(db)`
    insert into password_links (staff_id, token_hash, created_at, expires_at)
    values (${link.staffId}, ${link.tokenHash}, now(), now() + make_interval(hours => ${link.hours}))
    on conflict (staff_id) do update
    set token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at
    returning expires_at as "expiresAt"`;
  return expiresAt;
}

type LinkOwner = { staffId: string; name: string; email: string };

/** The person of a valid link. */
export function findPasswordLink(db: Db, tokenHash: Buffer): Promise<LinkOwner | undefined> {
  return first<LinkOwner>(db)`
    select staff.id as "staffId", staff.name, staff.email
    from password_links link join staff on staff.id = link.staff_id
    where link.token_hash = ${tokenHash} and link.expires_at > now() and staff.active`;
}

/** Only one of concurrent callers gets true. */
export function takePasswordLink(db: Db, tokenHash: Buffer): Promise<boolean> {
  return changed(db)`delete from password_links where token_hash = ${tokenHash} and expires_at > now()`;
}

export function dropPasswordLink(db: Db, staffId: string): Promise<void> {
  return run(db)`delete from password_links where staff_id = ${staffId}`;
}
