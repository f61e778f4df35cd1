import { MAIN } from '@settee/protocol/model/profile';
import { column, type Db, type Sql, sql } from './query.ts';

/** Joins the profile `b` of a desk. Every desk has one, for good. */
export function profileOf(alias: Sql): Sql {
  return sql`join handlers at_desk on at_desk.alias = ${alias} join profiles b on b.slug = at_desk.profile`;
}

/** What a page was opened with: the hash of an invite token, or the mark of a profile (`/chat/{mark}`). */
export type Link = { tokenHash?: Buffer | undefined; mark?: string | undefined };

/**
 * The slug of the profile that a link shows: that of its desk, or the first one for a link that is unknown, expired or
 * revoked. The same lookups in each case, so that the time reveals nothing.
 */
export function profileOfLink({ tokenHash, mark }: Link): Sql {
  return sql`coalesce((
    select h.profile from invites i join handlers h on h.alias = i.handler_alias
    where i.token_hash = ${tokenHash ?? null}::bytea and (i.state = 'BOUND' or i.state <> 'REVOKED' and i.expires_at > now())
  ), (select p.slug from profiles p where p.mark = ${mark ?? null}::uuid), ${MAIN})`;
}

/** The desks that a list shows: one, those of a profile, or those that are both. Null: all. */
export async function readDesksShown(
  db: Db,
  { alias, profile }: { alias?: string | undefined; profile?: string | undefined },
): Promise<string[] | null> {
  if (profile === undefined) return alias === undefined ? null : [alias];
  const desks = await column<string>(db)`select alias from handlers where profile = ${profile}`;
  return alias === undefined ? desks : desks.filter((desk) => desk === alias);
}
