import { MAIN } from '@settee/protocol/model/profile';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { kindOf, typeOf } from '../images/kinds.ts';
import { reencode } from '../images/reencode.ts';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { audited } from '../platform/db/audited.ts';
import { type Profile, readProfile, replaceAvatar, updateBrand } from './brand.store.ts';
import { requireProfile, targetOf } from './setBrand.ts';

/** Sets the profile's square image; without bytes, removes it. */
export async function setAvatar(
  app: App,
  bytes: Buffer | undefined,
  actor: string,
  slug = MAIN,
): Promise<Profile> {
  await requireProfile(app.db, slug);
  const picture = bytes === undefined ? undefined : await reencodeSquare(bytes);
  const avatar = picture && { id: app.random.uuid(), ...picture };
  return audited(app, actor, async (db, record) => {
    // Lock first, so that two concurrent calls do not leave two images.
    await updateBrand(db, { avatarUrl: avatar === undefined ? null : `/brand/avatar/${avatar.id}` }, slug);
    await replaceAvatar(db, avatar, slug);
    record(avatar === undefined ? 'avatar.remove' : 'avatar.set', targetOf(slug));
    return readProfile(db, slug);
  });
}

async function reencodeSquare(bytes: Buffer): Promise<{ type: string; bytes: Buffer }> {
  const kind = kindOf(bytes);
  if (kind === undefined) throw new Refusal('image_type');
  const picture = await reencode(bytes, typeOf(kind), {}, 'square');
  if (picture.ok) return { type: picture.type, bytes: Buffer.from(picture.bytes) };
  throw picture.retryable
    ? new Refusal('unavailable')
    : new Refusal('media_refused', profileTexts.pictureUnreadable);
}
