import type { ProfileSettings } from '@settee/protocol/calls/profileCalls';
import type { Brand } from '@settee/protocol/model/brand';
import { type Db, first, millis, one, raw, run, sql } from '../platform/db/query.ts';

/** What visitors see, and settings that they do not. */
export type Profile = { brand: Brand; settings: ProfileSettings };

export async function readProfile(db: Db): Promise<Profile> {
  const row = await one<Brand & ProfileSettings>(db)`
    select display_name as "displayName", avatar_url as "avatarUrl", verified, disclosure, greeting, farewell,
      away_message as "awayMessage", usual_reply_minutes as "usualReplyMinutes",
      ${millis('updated_at')} as "updatedAt",
      reopen_days as "reopenDays", waiting_minutes as "waitingMinutes",
      waiting_long_minutes as "waitingLongMinutes", keep_days as "keepDays",
      visitor_erase as "visitorErase", visitor_mail as "visitorMail", language
    from brand`;
  const { displayName, avatarUrl, verified, disclosure, updatedAt, ...others } = row;
  const { greeting, farewell, awayMessage, usualReplyMinutes, ...settings } = others;
  return {
    brand: {
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

export async function readBrand(db: Db): Promise<Brand> {
  return (await readProfile(db)).brand;
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
export function updateBrand(db: Db, change: BrandChange): Promise<void> {
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
  return run(db)`update brand set ${assignments.reduce((all, next) => sql`${all}, ${next}`)}`;
}

type StoredAvatar = { type: string; bytes: Buffer };

export async function replaceAvatar(
  db: Db,
  avatar: (StoredAvatar & { id: string }) | undefined,
): Promise<void> {
  await run(db)`delete from avatars`;
  if (avatar === undefined) return;
  await run(db)`insert into avatars (id, type, bytes) values (${avatar.id}, ${avatar.type}, ${avatar.bytes})`;
}

export function findAvatar(db: Db, id: string): Promise<StoredAvatar | undefined> {
  return first<StoredAvatar>(db)`select type, bytes from avatars where id = ${id}`;
}
