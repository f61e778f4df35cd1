import type { AuditEntry } from '@settee/protocol/calls/auditCalls';
import { actionTexts, auditTexts, detailTexts, nullTexts } from '@settee/protocol/texts/auditTexts';

const SHORT_ID = 8;

/** The action as text. An unknown action is split up: 'thing.madeUp' becomes 'Thing: made up'. */
export function actionText(action: string): string {
  const known = actionTexts[action];
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
  return { visitor: auditTexts.visitor, anonymous: auditTexts.unknown }[name] ?? name;
}

export function targetText({ kind, id, name }: AuditEntry['target']): string {
  if (id === 'brand') return auditTexts.publicProfile;
  if (kind === 'invite' && name === '') return `${auditTexts.invite} ${id.slice(0, SHORT_ID)}`;
  return name;
}

/** The page that shows the target. Undefined if there is none. */
export function targetLink({ kind, id, name }: AuditEntry['target']): string | undefined {
  if (id === 'brand') return '/profile';
  if (kind === 'conversation') return `/conversations/${id}`;
  if (kind === 'person') return '/handlers';
  if (kind === 'invite') return name === '' ? '/invites' : `/invites?search=${encodeURIComponent(name)}`;
  return undefined;
}

export function detailText(details: AuditEntry['details']): string {
  return (
    Object.entries(details)
      // Hide null values, except those with a text of their own.
      .filter(([key, value]) => value !== null || nullTexts[key] !== undefined)
      .map(([key, value]) => `${detailTexts[key] ?? splitCamelCase(key)}: ${valueText(key, value)}`)
      .join(', ')
  );
}

function valueText(key: string, value: AuditEntry['details'][string]): string {
  if (value === null) return nullTexts[key] ?? '';
  if (typeof value === 'boolean') return value ? auditTexts.yes : auditTexts.no;
  return value === '' ? auditTexts.none : String(value);
}

function splitCamelCase(word: string): string {
  return word.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
