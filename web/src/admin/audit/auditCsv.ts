import { AUDIT_EXPORT_PAGE, type AuditEntry } from '@settee/protocol/calls/auditCalls';
import { csvHead, csvLine } from '@settee/protocol/render/csv';
import { auditTexts } from '@settee/protocol/texts/auditTexts';
import type { Result } from '../../net/api.ts';
import { actionText, actorText, detailText, targetText } from './auditText.ts';

type Read = (query: Record<string, string>) => Promise<Result<'readAudit'>>;

const HEAD = csvHead([
  auditTexts.number,
  auditTexts.time,
  auditTexts.actor,
  auditTexts.action,
  auditTexts.target,
  'Target id',
  auditTexts.details,
]);

/** All matching entries, newest first. Undefined if a page could not be read. */
export async function auditCsv(read: Read, filter: Record<string, string>): Promise<string[] | undefined> {
  const lines = [HEAD];
  for (let before: string | undefined; ; ) {
    const page = await read({
      ...filter,
      limit: String(AUDIT_EXPORT_PAGE),
      ...(before !== undefined && { before }),
    });
    if (!page.ok) return undefined;
    lines.push(...page.answer.entries.map(lineOf));
    if (page.answer.next === null) return lines;
    before = String(page.answer.next);
  }
}

function lineOf(entry: AuditEntry): string {
  const { id, at, actor, action, target, details } = entry;
  return csvLine([
    id,
    new Date(at).toISOString(),
    actorText(actor),
    actionText(action),
    targetText(target),
    target.id,
    detailText(details),
  ]);
}
