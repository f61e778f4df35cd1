import { MAIN, Slug } from '@settee/protocol/model/profile';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import * as v from 'valibot';
import { Refusal } from '../platform/auth/refusal.ts';
import { type Audited, audited } from '../platform/db/audited.ts';
import type { Staff } from '../platform/ports/caller.ts';
import { setArchived } from './brand.store.ts';
import { noSuchProfile, requireProfile } from './setBrand.ts';

/** An archived profile gets no new desks and no new invites. Nothing changes for its visitors and its desks. */
export async function archiveProfile(
  app: Audited,
  staff: Staff,
  { slug }: { slug: string },
  archived: boolean,
): Promise<void> {
  if (!v.is(Slug, slug)) throw noSuchProfile();
  await audited(app, staff, async (db, record) => {
    await requireProfile(db, slug);
    if (slug === MAIN) throw new Refusal('bad_request', profileTexts.mainStays);
    if (await setArchived(db, slug, archived))
      record(archived ? 'profile.archive' : 'profile.unarchive', slug);
  });
}
