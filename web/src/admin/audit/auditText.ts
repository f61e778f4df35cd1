import { AUDIT_EXPORT_PAGE, type AuditEntry } from '@settee/protocol/calls/auditCalls';
import { csvHead, csvLine } from '@settee/protocol/render/csv';
import { actionTexts, auditTexts, detailTexts, nullTexts } from '@settee/protocol/texts/auditTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { listText } from '../../browser/listText.ts';
import type { Result } from '../../net/api.ts';

const SHORT_ID = 8;

/** Entries of a newer release may have names that this one does not know. */
function textIn(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return table[name];
}

/** The action as text. An unknown action is split up: 'thing.madeUp' becomes 'Thing: made up'. */
export function actionText(action: string): string {
  const known = textIn(actionTexts, action);
  if (known !== undefined) return known;
  const [thing = '', verb] = action.split('.');
  return capitalize(
    verb === undefined ? splitCamelCase(thing) : `${splitCamelCase(thing)}: ${splitCamelCase(verb)}`,
  );
}

export function actorText({ kind, name }: AuditEntry['actor']): string {
  if (kind === 'commandLine') return auditTexts.commandLine;
  if (kind === 'system') return auditTexts.system;
  if (kind === 'staff') return name;
  if (kind === 'key') return fillText(auditTexts.key, { name });
  return { visitor: auditTexts.visitor, anonymous: auditTexts.unknown }[name] ?? name;
}

export function targetText({ kind, id, name }: AuditEntry['target']): string {
  if (id === 'brand') return auditTexts.publicProfile;
  if (kind === 'key') return fillText(auditTexts.key, { name });
  if (kind === 'invite' && name === '') return fillText(auditTexts.invite, { id: id.slice(0, SHORT_ID) });
  return name;
}

/** The page that shows the target. Undefined if there is none. */
export function targetLink({ kind, id, name }: AuditEntry['target']): string | undefined {
  if (id === 'brand') return '/profile';
  if (kind === 'conversation') return `/conversations/${id}`;
  if (kind === 'person') return '/handlers';
  if (kind === 'key') return '/integrations';
  if (kind === 'invite') return name === '' ? '/invites' : `/invites?search=${encodeURIComponent(name)}`;
  return undefined;
}

export function detailText(details: AuditEntry['details']): string {
  // Hide null values, except those with a text of their own.
  const shown = Object.entries(details).filter(
    ([key, value]) => value !== null || textIn(nullTexts, key) !== undefined,
  );
  return listText(
    shown.map(([key, value]) => {
      const name = textIn(detailTexts, key) ?? splitCamelCase(key);
      return fillText(auditTexts.detail, { name, value: valueText(key, value) });
    }),
  );
}

function valueText(key: string, value: AuditEntry['details'][string]): string {
  if (value === null) return textIn(nullTexts, key) ?? '';
  if (typeof value === 'boolean') return value ? auditTexts.yes : auditTexts.no;
  return value === '' ? auditTexts.none : String(value);
}

function splitCamelCase(word: string): string {
  return word.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type Read = (query: Record<string, string>) => Promise<Result<'readAudit'>>;

const HEAD = csvHead([
  auditTexts.number,
  auditTexts.time,
  auditTexts.actor,
  auditTexts.action,
  auditTexts.target,
  auditTexts.targetId,
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
