import {
  AwayMessage,
  Disclosure,
  Farewell,
  Greeting,
  ProfileName,
} from '@settee/protocol/calls/profileCalls';
import { MAIN } from '@settee/protocol/model/profile';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import * as v from 'valibot';
import { Refusal } from '../platform/auth/refusal.ts';
import { type Audited, audited } from '../platform/db/audited.ts';
import type { Database, DbTransaction } from '../platform/db/database.ts';
import {
  type BrandChange,
  hasProfile,
  type Profile,
  readProfile,
  replaceAvatar,
  updateBrand,
} from './brand.store.ts';

export async function setBrand(
  app: Audited,
  change: BrandChange,
  actor: string,
  slug = MAIN,
): Promise<Profile> {
  const { avatarUrl } = change;
  if (typeof avatarUrl === 'string' && !/^(?:https?:\/\/|\/)\S+$/.test(avatarUrl)) {
    throw new Refusal('bad_request', profileTexts.pictureAddress);
  }
  // The command line does not validate with the call's schema.
  const clean = {
    ...change,
    ...(change.displayName !== undefined && { displayName: checked(ProfileName, change.displayName) }),
    ...(typeof change.disclosure === 'string' && { disclosure: checked(Disclosure, change.disclosure) }),
    ...(change.greeting !== undefined && { greeting: checked(Greeting, change.greeting) }),
    ...(change.farewell !== undefined && { farewell: checked(Farewell, change.farewell) }),
    ...(change.awayMessage !== undefined && { awayMessage: checked(AwayMessage, change.awayMessage) }),
  };
  await requireProfile(app.db, slug);
  if (Object.values(clean).every((value) => value === undefined)) return readProfile(app.db, slug);
  return audited(app, actor, async (db, record) => {
    await updateBrand(db, clean, slug);
    // A URL replaces an uploaded image, which nobody could see or remove any more.
    if (avatarUrl !== undefined) await replaceAvatar(db, undefined, slug);
    const after = await readProfile(db, slug);
    const { waitingMinutes, waitingLongMinutes } = after.settings;
    if (waitingLongMinutes <= waitingMinutes) throw new Refusal('bad_request', profileTexts.waitingOrder);
    record('brand.set', targetOf(slug), clean);
    return after;
  });
}

/** In the audit log, the first profile has the name that it had as the only one. */
export function targetOf(slug: string): string {
  return slug === MAIN ? 'brand' : slug;
}

/** Profiles are never deleted. */
export async function requireProfile(db: Database | DbTransaction, slug: string): Promise<void> {
  if (!(await hasProfile(db, slug))) throw noSuchProfile();
}

export function noSuchProfile(): Refusal {
  return new Refusal('not_found', profileTexts.noSuchProfile);
}

export function checked(schema: v.GenericSchema<string, string>, text: string): string {
  const result = v.safeParse(schema, text);
  if (!result.success) throw new Refusal('bad_request', result.issues[0].message);
  return result.output;
}
