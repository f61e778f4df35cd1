import { csvHead, csvLine } from '@settee/protocol/render/csv';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import type { MadeInvite } from './batchRun.ts';

/** Label, link, expires: what a mail merge needs. */
export function linksCsv(invites: readonly MadeInvite[]): string {
  const head = csvHead([texts.label, texts.link, texts.expires].map((word) => word.toLowerCase()));
  const lines = invites.map(({ label, link, expiresAt }) =>
    csvLine([label, link, new Date(expiresAt).toISOString()]),
  );
  return head + lines.join('');
}
