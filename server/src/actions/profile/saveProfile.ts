import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Visitor } from '../../caller.ts';
import { hasAnyPlace } from '../../db/conversation/devices.ts';
import { type ProfileRow, upsertProfile } from '../../db/profile/profiles.ts';

/** Creates or updates the profile. Only for who has a conversation: before that, a visitor costs no row. */
export async function saveProfile(app: App, visitor: Visitor, displayName: string): Promise<ProfileRow> {
  if (!(await hasAnyPlace(app.db.sql, visitor))) throw new Refusal('not_found');
  return upsertProfile(app.db.sql, visitor.visitorId, displayName);
}
