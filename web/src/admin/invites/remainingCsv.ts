import type { InviteDraft } from '@settee/protocol/model/managedInvite';
import { csvHead, csvLine } from '@settee/protocol/render/csv';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';

/** As an import takes it: to be given to another handler, say, and brought again. */
export function remainingCsv(drafts: readonly InviteDraft[]): string {
  const head = csvHead([texts.label, texts.handler, texts.daysColumn].map((word) => word.toLowerCase()));
  return head + drafts.map(({ label, alias, days }) => csvLine([label, alias, days])).join('');
}
