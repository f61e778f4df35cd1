import { ProfileName } from '@settee/protocol/calls/profileCalls';
import { Alias } from '@settee/protocol/model/staff';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { Refusal } from '../platform/auth/refusal.ts';
import { type Audited, audited } from '../platform/db/audited.ts';
import { countOlderPrograms } from '../platform/db/gateways.ts';
import { hasProfile, insertProfile } from './brand.store.ts';
import { checked } from './setBrand.ts';

/**
 * Adds a profile. Its desks are created with it and stay with it. Refused while a program of release 0.2.0 runs, which
 * would show every visitor the first profile. Afterwards none can start: see mirror_profile in the migrations.
 */
export async function createProfile(
  app: Audited,
  profile: { slug: string; displayName: string },
  actor: string,
): Promise<void> {
  const slug = checked(Alias, profile.slug);
  const displayName = checked(ProfileName, profile.displayName);
  await audited(app, actor, async (db, record) => {
    // Also one after another, because it locks.
    if ((await countOlderPrograms(db)) > 0) throw new Refusal('bad_request', profileTexts.olderPrograms);
    if (await hasProfile(db, slug)) throw new Refusal('bad_request', profileTexts.profileTaken);
    await insertProfile(db, slug, displayName);
    record('profile.create', slug);
  });
}
