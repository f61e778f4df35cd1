import { scrub } from './scrub.ts';

/*
 * Every field that a log line may have, in one of two lists. Other fields are dropped, so that no request, header, text
 * or id gets logged with a larger object. Document a field in docs/operate.md only if operators act on it.
 */

/** Not scrubbed, because they come from our code or configuration. */
const TRUSTED = [
  // Positions in the code.
  'stack',
  // The host of a known push service, or of a webhook.
  'host',
  // A problem of the configuration, in our words.
  'problem',
  // A name in the environment that is no setting, and the setting that it looks like.
  'setting',
  'meant',
  // Our own URLs, from the configuration.
  'url',
  'publicUrl',
  // The end of the audit log: the last hash. The number of entries is below.
  'auditHash',
] as const;

/** Texts in them are scrubbed: see scrub.ts. */
const SCRUBBED = [
  // Errors.
  'reason',
  'message',
  'code',
  // How the image process is isolated.
  'isolation',
  // The kind of a mail.
  'mail',
  // Numbers.
  'auditCount',
  'count',
  'gateway',
  'concurrency',
  'tries',
  'givesUp',
  'rescued',
  'images',
  'backups',
  'conversations',
  'invites',
  'blocks',
  'staff_sessions',
  'spent_tickets',
  'presence',
  'staff_presence',
  'password_links',
  'gateways',
  'push_subscriptions',
  'deleted_conversations',
  'webhook_deliveries',
  'visitor_mails',
  'mail_figures',
  'rate_limits',
] as const;

type LogField = (typeof TRUSTED | typeof SCRUBBED)[number];
type Value = string | number | boolean | undefined;
export type LogFields = { [name in LogField]?: Value };

const UNCHANGED: ReadonlySet<string> = new Set(TRUSTED);
const KNOWN: ReadonlySet<string> = new Set([...TRUSTED, ...SCRUBBED]);

/** Longer values are cut. */
const VALUE_MAX = 300;
const STACK_MAX = 2_000;

/** The fields that may be logged, and the number of dropped ones. Even the name of a dropped field may be a secret. */
export function allowedFields(fields: LogFields): Record<string, Value> {
  const logged: Record<string, Value> = {};
  let dropped = 0;
  for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
    if (!KNOWN.has(name) || !isPlain(value)) dropped += 1;
    else logged[name] = typeof value === 'string' ? sanitize(name, value) : value;
  }
  return dropped === 0 ? logged : { ...logged, dropped };
}

function isPlain(value: unknown): value is Value {
  return value === undefined || ['string', 'number', 'boolean'].includes(typeof value);
}

function sanitize(name: string, value: string): string {
  const safe = UNCHANGED.has(name) ? value : scrub(value);
  const max = name === 'stack' ? STACK_MAX : VALUE_MAX;
  return safe.length > max ? `${safe.slice(0, max)}…` : safe;
}
