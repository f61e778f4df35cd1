import { ProfileName } from '@settee/protocol/calls/profileCalls';
import { aliasOf, DESK_NAME_MAX } from '@settee/protocol/model/deskName';
import { Slug } from '@settee/protocol/model/profile';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { Refusal } from '../platform/auth/refusal.ts';
import { type Audited, audited } from '../platform/db/audited.ts';
import { countOlderPrograms } from '../platform/db/gateways.ts';
import type { Staff } from '../platform/ports/caller.ts';
import { hasProfile, insertDesk, insertProfile } from './brand.store.ts';
import { checked } from './setBrand.ts';

/**
 * Adds a profile with a first desk. Refused while a program of release 0.2.0 runs, which would show every visitor the
 * first profile. Afterwards no gateway of it can start, and a worker sends nothing: see mirror_profile in the migrations.
 */
export async function createProfile(
  app: Audited,
  profile: { displayName: string; slug?: string | undefined; deskName?: string | undefined },
  actor: Staff | string,
): Promise<{ slug: string; alias: string }> {
  const displayName = checked(ProfileName, profile.displayName);
  const slug = checked(Slug, profile.slug ?? aliasOf(displayName, 'profile'));
  const name = profile.deskName ?? Array.from(displayName).slice(0, DESK_NAME_MAX).join('').trimEnd();
  return audited(app, actor, async (db, record) => {
    // The lock also lets only one call run at a time.
    if ((await countOlderPrograms(db)) > 0) throw new Refusal('bad_request', profileTexts.olderPrograms);
    // Not with a number behind it: the same call again, after a lost answer, must not add a second one.
    if (await hasProfile(db, slug)) throw new Refusal('bad_request', profileTexts.profileTaken);
    await insertProfile(db, slug, displayName);
    const alias = await insertDesk(db, { alias: aliasOf(name), name, profile: slug });
    record('profile.create', slug, { alias });
    return { slug, alias };
  });
}
