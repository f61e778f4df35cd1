import { PASSWORD_LINK_HOURS } from '@settee/protocol/calls/peopleCalls';
import type { App } from '../../app.ts';
import { newLinkToken } from '../../auth/linkToken.ts';
import type { Inside } from '../../db/engine/database.ts';
import { replacePasswordLink } from '../../db/staff/passwordLinks.ts';

export type PasswordLink = { link: string; linkExpiresAt: number };

/** The token is in the fragment, which no browser sends: it reaches neither a log nor another site. */
export async function newPasswordLink(
  app: Pick<App, 'config' | 'random'>,
  db: Inside,
  staffId: string,
): Promise<PasswordLink> {
  const { token, tokenHash } = newLinkToken(app);
  const expiresAt = await replacePasswordLink(db, { staffId, tokenHash, hours: PASSWORD_LINK_HOURS });
  return { link: `${app.config.publicUrl}/handler/password#${token}`, linkExpiresAt: expiresAt.getTime() };
}
