import type { ProfileSettings } from '@settee/protocol/calls/profileCalls';
import type { Brand } from '@settee/protocol/model/brand';
import { MAIN, type StaffProfile } from '@settee/protocol/model/profile';
import { type Link, profileOf, profileOfLink } from '../platform/db/profileOf.ts';
import {
  changed,
  column,
  type Db,
  exists,
  first,
  millis,
  one,
  raw,
  rows,
  run,
  type Sql,
  sql,
  value,
} from '../platform/db/query.ts';
import type { Visitor } from '../platform/ports/caller.ts';

/** What visitors see, and settings that they do not. */
export type Profile = { brand: Brand; settings: ProfileSettings };

type ProfileRow = Omit<Brand, 'mark'> & ProfileSettings & { slug: string; mark: string };

const COLUMNS = sql`b.slug, b.mark, display_name as "displayName", avatar_url as "avatarUrl", verified, disclosure,
      greeting, farewell, away_message as "awayMessage", usual_reply_minutes as "usualReplyMinutes",
      ${millis('updated_at')} as "updatedAt",
      reopen_days as "reopenDays", waiting_minutes as "waitingMinutes",
      waiting_long_minutes as "waitingLongMinutes", keep_days as "keepDays",
      visitor_erase as "visitorErase", visitor_mail as "visitorMail", language`;

/** For `staffProfileFrom`. */
export const STAFF_COLUMNS = sql`b.slug, b.display_name as "displayName", b.avatar_url as "avatarUrl", b.verified,
  ${millis('b.updated_at')} as "updatedAt"`;

export function staffProfileFrom<Row extends StaffProfile>({
  updatedAt,
  ...row
}: Row & Pick<Brand, 'updatedAt'>): Omit<Row, 'updatedAt'> {
  return { ...(row as unknown as Row), avatarUrl: row.avatarUrl && withVersion(row.avatarUrl, updatedAt) };
}

function profileFrom(row: ProfileRow): Profile {
  const { slug, mark, displayName, avatarUrl, verified, disclosure, updatedAt, ...others } = row;
  const { greeting, farewell, awayMessage, usualReplyMinutes, ...settings } = others;
  return {
    brand: {
      ...(slug !== MAIN && { mark }),
      displayName,
      avatarUrl: avatarUrl === null ? null : withVersion(avatarUrl, updatedAt),
      verified,
      disclosure,
      greeting,
      farewell,
      awayMessage,
      usualReplyMinutes,
      updatedAt,
    },
    settings,
  };
}

export async function readProfile(db: Db, slug: string | Sql = MAIN): Promise<Profile> {
  return profileFrom(await one<ProfileRow>(db)`select ${COLUMNS} from profiles b where b.slug = ${slug}`);
}

/** What a link shows. Without one, the first profile. */
export function readProfileOfLink(db: Db, link: Link): Promise<Profile> {
  return readProfile(db, profileOfLink(link));
}

export async function findProfileOfLink(db: Db, link: Link): Promise<string> {
  return (await value<string>(db)`select ${profileOfLink(link)}`) ?? MAIN;
}

export function readProfileOfDesk(db: Db, alias: string): Promise<Profile> {
  return readProfile(db, sql`(select profile from handlers where alias = ${alias})`);
}

/** The names of the profiles that this visitor talks to. The others must not show by what they refuse. */
export function readNamesFor(db: Db, { visitorId, credential }: Visitor): Promise<string[]> {
  return column<string>(db)`
    select display_name from profiles where slug = any (coalesce((
      select array_agg(b.slug) from devices d join conversations c on c.id = d.conversation_id
        ${profileOf(sql`c.handler_alias`)}
      where d.visitor_id = ${visitorId} and d.credential = ${credential} and d.revoked_at is null
    ), array[${MAIN}]))`;
}

export type ListedProfile = Profile & {
  slug: string;
  /** Increases with every change of hours or of the away message. */
  hoursRev: number;
  /** Its desks. All others belong to the first profile. */
  desks: string[];
};

/** All profiles, for gateways. */
export async function readProfiles(db: Db): Promise<ListedProfile[]> {
  const found = await rows<ProfileRow & Pick<ListedProfile, 'hoursRev' | 'desks'>>(db, 'profiles')`
    select ${COLUMNS}, hours_rev as "hoursRev",
      case when b.slug = ${MAIN} then '{}' else array(select alias from handlers h where h.profile = b.slug) end as desks
    from profiles b order by b.slug`;
  return found.map(({ hoursRev, desks, ...row }) => ({
    ...profileFrom(row),
    slug: row.slug,
    hoursRev,
    desks,
  }));
}

export function insertProfile(db: Db, slug: string, displayName: string): Promise<void> {
  return run(db)`
    with added as (insert into profiles (slug, display_name) values (${slug}, ${displayName}))
    delete from brand`;
}

/** With this alias, or with a number behind it if there is such a desk already. */
export async function insertDesk(
  db: Db,
  desk: { alias: string; name: string; profile: string },
): Promise<string> {
  const { alias, name, profile } = desk;
  const { added } = await one<{ added: string }>(db)`
    insert into handlers (alias, name, profile)
    select free.alias, ${name}, ${profile} from (
      select n, case n when 1 then ${alias} else left(${alias}, 28) || '-' || n end as alias
      from generate_series(1, 999) n
    ) free where not exists (select from handlers h where h.alias = free.alias) order by n limit 1
    returning alias as added`;
  return added;
}

export function hasProfile(db: Db, slug: string): Promise<boolean> {
  return exists(db)`select from profiles where slug = ${slug}`;
}

/** False if it is so already. */
export function setArchived(db: Db, slug: string, archived: boolean): Promise<boolean> {
  return changed(db)`
    update profiles set archived_at = case when ${archived} then now() end
    where slug = ${slug} and (archived_at is not null) <> ${archived}`;
}

/** Whether one of these desks has an archived profile. */
export function isAnyArchived(db: Db, aliases: readonly string[]): Promise<boolean> {
  return exists(db)`
    select from handlers h join profiles b on b.slug = h.profile
    where h.alias = any (${aliases}::text[]) and b.archived_at is not null`;
}

/** What staff see of a profile; undefined while the first one is the only one. */
export async function findStaffProfile(db: Db, slug: string): Promise<StaffProfile | undefined> {
  const found = await first<StaffProfile & Pick<Brand, 'updatedAt'>>(db)`
    select ${STAFF_COLUMNS} from profiles b
    where b.slug = ${slug} and exists (select from profiles where slug <> ${MAIN})`;
  return found && staffProfileFrom(found);
}

/** A changed image gets a new URL, so that no cache shows the old one. */
function withVersion(avatarUrl: string, updatedAt: number): string {
  return `${avatarUrl}${avatarUrl.includes('?') ? '&' : '?'}v=${updatedAt}`;
}

export type BrandChange = {
  displayName?: string | undefined;
  verified?: boolean | undefined;
  avatarUrl?: string | null | undefined;
  disclosure?: string | null | undefined;
  /** An empty text means none. */
  greeting?: string | undefined;
  farewell?: string | undefined;
  awayMessage?: string | undefined;
} & { [K in keyof ProfileSettings]?: ProfileSettings[K] | undefined };

/** The time of the change is the version that makes pages reload the profile and its image. */
export function updateBrand(db: Db, change: BrandChange, slug: string): Promise<void> {
  const { displayName, verified, avatarUrl, disclosure, greeting, farewell, awayMessage, ...settings } =
    change;
  const shown = {
    display_name: displayName,
    verified,
    avatar_url: avatarUrl,
    disclosure,
    greeting: greeting === '' ? null : greeting,
    farewell: farewell === '' ? null : farewell,
    away_message: awayMessage === '' ? null : awayMessage,
  };
  const hidden = {
    reopen_days: settings.reopenDays,
    waiting_minutes: settings.waitingMinutes,
    waiting_long_minutes: settings.waitingLongMinutes,
    keep_days: settings.keepDays,
    visitor_erase: settings.visitorErase,
    language: settings.language,
    visitor_mail: settings.visitorMail,
  };
  const given = (columns: object) => Object.entries(columns).filter(([, value]) => value !== undefined);
  const assignments = [...given(shown), ...given(hidden)].map(
    ([column, value]) => sql`${raw(column)} = ${value}`,
  );
  // Two changes within a millisecond are two versions.
  if (given(shown).length > 0) {
    assignments.push(sql`updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')`);
  }
  // Conversations that show it are refreshed.
  if (awayMessage !== undefined) assignments.push(sql`hours_rev = hours_rev + 1`);
  return run(db)`
    update profiles set ${assignments.reduce((all, next) => sql`${all}, ${next}`)} where slug = ${slug}`;
}

type StoredAvatar = { type: string; bytes: Buffer };

export async function replaceAvatar(
  db: Db,
  avatar: (StoredAvatar & { id: string }) | undefined,
  slug: string,
): Promise<void> {
  await run(db)`delete from avatars where profile = ${slug}`;
  if (avatar === undefined) return;
  await run(db)`
    insert into avatars (id, type, bytes, profile) values (${avatar.id}, ${avatar.type}, ${avatar.bytes}, ${slug})`;
}

export function findAvatar(db: Db, id: string): Promise<StoredAvatar | undefined> {
  return first<StoredAvatar>(db)`select type, bytes from avatars where id = ${id}`;
}
