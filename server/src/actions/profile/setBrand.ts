import {
  AwayMessage,
  Disclosure,
  Farewell,
  Greeting,
  ProfileName,
} from '@settee/protocol/calls/profileCalls';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import * as v from 'valibot';
import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import {
  type BrandChange,
  type Profile,
  readProfile,
  replaceAvatar,
  updateBrand,
} from '../../db/profile/brand.ts';
import type { Announce } from '../../ports.ts';

export async function setBrand(
  app: Pick<App, 'db'> & { announce: Pick<Announce, 'brandChanged'> },
  change: BrandChange,
  actor: string,
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
  if (Object.values(clean).every((value) => value === undefined)) return readProfile(app.db);
  const profile = await app.db.transaction(async (db) => {
    await updateBrand(db, clean);
    // A URL replaces an uploaded image, which nobody could see or remove any more.
    if (avatarUrl !== undefined) await replaceAvatar(db, undefined);
    const after = await readProfile(db);
    const { waitingMinutes, waitingLongMinutes } = after.settings;
    if (waitingLongMinutes <= waitingMinutes) throw new Refusal('bad_request', profileTexts.waitingOrder);
    await insertAudit(db, { actor, action: 'brand.set', target: 'brand', details: { ...clean } });
    return after;
  });
  app.announce.brandChanged();
  return profile;
}

function checked(schema: v.GenericSchema<string, string>, text: string): string {
  const result = v.safeParse(schema, text);
  if (!result.success) throw new Refusal('bad_request', result.issues[0].message);
  return result.output;
}
