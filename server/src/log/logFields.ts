import { scrub } from './scrub.ts';

/**
 * Every field that a log line may have. What is not here is not logged: a request, a header, a text or an id cannot slip
 * in with an object that somebody passed whole. A new one needs a reason in docs/operate.md.
 */
const FIELDS = [
  // What went wrong, scrubbed: see scrub.ts.
  'reason',
  'message',
  'stack',
  'code',
  // A push service's host, one of a list of ours.
  'host',
  // Addresses of our own, from the configuration.
  'url',
  'publicUrl',
  // Numbers.
  'concurrency',
  'tries',
  'givesUp',
  'rescued',
  'images',
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
  'rate_limits',
] as const;

type LogField = (typeof FIELDS)[number];
type Value = string | number | boolean | undefined;
export type LogFields = { [name in LogField]?: Value };

const KNOWN: ReadonlySet<string> = new Set(FIELDS);
/** From the configuration, not from the world: a line that tells where it listens must be able to. */
const OWN: ReadonlySet<string> = new Set<LogField>(['url', 'publicUrl', 'host', 'stack']);

/** Longer values are cut: a log is read, and paid for, by the line. */
const VALUE_MAX = 300;
const STACK_MAX = 2_000;

/** What may be written of these. Of what was left out only the number is told: a name could tell as much as a value. */
export function allowed(fields: LogFields): Record<string, Value> {
  const kept: Record<string, Value> = {};
  let dropped = 0;
  for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
    if (!KNOWN.has(name) || !isPlain(value)) dropped += 1;
    else kept[name] = typeof value === 'string' ? bounded(name, value) : value;
  }
  return dropped === 0 ? kept : { ...kept, dropped };
}

function isPlain(value: unknown): value is Value {
  return value === undefined || ['string', 'number', 'boolean'].includes(typeof value);
}

function bounded(name: string, value: string): string {
  const safe = OWN.has(name) ? value : scrub(value);
  const max = name === 'stack' ? STACK_MAX : VALUE_MAX;
  return safe.length > max ? `${safe.slice(0, max)}…` : safe;
}
