import type { App } from '../app.ts';
import type { Visitor } from '../caller.ts';
import { hasAnyPlace } from '../db/devices.ts';
import { type ProfileRow, upsertProfile } from '../db/profiles.ts';
import { Refused } from '../refused.ts';

/** Creates or updates the profile. Only for who has a conversation: before that, a visitor costs no row. */
export async function saveProfile(app: App, visitor: Visitor, displayName: string): Promise<ProfileRow> {
  if (!(await hasAnyPlace(app.db.sql, visitor))) throw new Refused('not_found');
  return upsertProfile(app.db.sql, visitor.visitorId, displayName);
}
