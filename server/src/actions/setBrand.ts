import type { Announce } from '../announce.ts';
import type { App } from '../app.ts';
import { insertAudit } from '../db/audit.ts';
import { type BrandChange, updateBrand } from '../db/brand.ts';
import { Refused } from '../refused.ts';

const NAME_MAX = 80;
const DISCLOSURE_MAX = 200;

/** Changes what is given of the public profile, and leaves the rest. */
export async function setBrand(
  app: Pick<App, 'db'> & { announce: Pick<Announce, 'brandChanged'> },
  change: BrandChange,
  actor: string,
): Promise<void> {
  const { displayName, avatarUrl, disclosure } = change;
  if (displayName !== undefined && (displayName.trim() === '' || displayName.length > NAME_MAX)) {
    throw new Refused('bad_request', `A profile's name has 1 to ${NAME_MAX} characters`);
  }
  if (avatarUrl !== undefined && !/^(?:https?:\/\/|\/)\S+$/.test(avatarUrl)) {
    throw new Refused('bad_request', 'An avatar is an http(s) address or a path that starts with /');
  }
  if (disclosure !== undefined && disclosure.length > DISCLOSURE_MAX) {
    throw new Refused('bad_request', `A disclosure line has at most ${DISCLOSURE_MAX} characters`);
  }
  await app.db.sql.transaction().execute(async (db) => {
    await updateBrand(db, change);
    await insertAudit(db, { actor, action: 'brand.set', target: 'brand', details: { ...change } });
  });
  app.announce.brandChanged();
}
