import type { ProfileSettings } from '@settee/protocol/calls/profileCalls';
import type { Brand } from '@settee/protocol/model/brand';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { Tables } from '../engine/tables.ts';

/** What visitors see, and settings that they do not. */
export type Profile = { brand: Brand; settings: ProfileSettings };

export async function readProfile(db: Pick<Database, 'sql'>): Promise<Profile> {
  const row = await db.sql.selectFrom('brand').selectAll().executeTakeFirstOrThrow();
  const updatedAt = row.updated_at.getTime();
  return {
    brand: {
      displayName: row.display_name,
      avatarUrl: row.avatar_url === null ? null : withVersion(row.avatar_url, updatedAt),
      verified: row.verified,
      disclosure: row.disclosure,
      greeting: row.greeting,
      farewell: row.farewell,
      awayMessage: row.away_message,
      usualReplyMinutes: row.usual_reply_minutes,
      updatedAt,
    },
    settings: {
      reopenDays: row.reopen_days,
      waitingMinutes: row.waiting_minutes,
      waitingLongMinutes: row.waiting_long_minutes,
      keepDays: row.keep_days,
      visitorErase: row.visitor_erase,
    },
  };
}

export async function readBrand(db: Database): Promise<Brand> {
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
export async function updateBrand(db: Kysely<Tables>, change: BrandChange): Promise<void> {
  const { displayName, verified, avatarUrl, disclosure, greeting, farewell, awayMessage, ...settings } =
    change;
  const shown = [displayName, verified, avatarUrl, disclosure, greeting, farewell, awayMessage];
  const seen = shown.some((value) => value !== undefined);
  await db
    .updateTable('brand')
    .set({
      // Two changes within a millisecond are two versions.
      ...(seen && {
        updated_at: sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`,
      }),
      ...(displayName !== undefined && { display_name: displayName }),
      ...(verified !== undefined && { verified }),
      ...(disclosure !== undefined && { disclosure }),
      ...(greeting !== undefined && { greeting: greeting || null }),
      ...(farewell !== undefined && { farewell: farewell || null }),
      // Conversations that show it are refreshed.
      ...(awayMessage !== undefined && {
        away_message: awayMessage || null,
        hours_rev: sql<number>`hours_rev + 1`,
      }),
      ...(avatarUrl !== undefined && { avatar_url: avatarUrl }),
      ...(settings.reopenDays !== undefined && { reopen_days: settings.reopenDays }),
      ...(settings.waitingMinutes !== undefined && { waiting_minutes: settings.waitingMinutes }),
      ...(settings.waitingLongMinutes !== undefined && { waiting_long_minutes: settings.waitingLongMinutes }),
      ...(settings.keepDays !== undefined && { keep_days: settings.keepDays }),
      ...(settings.visitorErase !== undefined && { visitor_erase: settings.visitorErase }),
    })
    .execute();
}

type StoredAvatar = { type: string; bytes: Buffer };

/** Replaces the only stored image. */
export async function replaceAvatar(
  db: Kysely<Tables>,
  avatar: (StoredAvatar & { id: string }) | undefined,
): Promise<void> {
  await db.deleteFrom('avatars').execute();
  if (avatar !== undefined) await db.insertInto('avatars').values(avatar).execute();
}

export async function findAvatar(db: Database, id: string): Promise<StoredAvatar | undefined> {
  return db.sql.selectFrom('avatars').select(['type', 'bytes']).where('id', '=', id).executeTakeFirst();
}
