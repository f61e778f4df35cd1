// Who may call, how often, and what refuses a call.
import { type Auth, type Call, ratesOf } from '../../protocol/src/calls/call.ts';
import { errors } from '../../protocol/src/calls/errors.ts';
import type { ErrorCode } from '../../protocol/src/model/errorCodes.ts';
import { keys, type Rate, rates } from '../../server/testing/rules.ts';

type Caller = {
  name: string;
  /** What to send, and who is refused. */
  text: string;
  /** The codes that other callers get. */
  refused: readonly ErrorCode[];
  /** Whether the call needs an ID token. */
  bearer: boolean;
};

const BEARER = 'Send `Authorization: Bearer` with the `idToken` of';

/** Who may call, by `auth` of protocol/src/calls/call.ts. */
export const callers: Record<Auth, Caller> = {
  none: { name: 'Anyone', text: 'No token is needed.', refused: [], bearer: false },
  cookie: {
    name: 'A browser with the cookie',
    text: 'The cookie authenticates the caller. Send `Origin` with the address of the installation, as a browser does. A call without it, or with another address, is refused with `access_denied`.',
    refused: ['access_denied'],
    bearer: false,
  },
  visitor: {
    name: 'A visitor',
    text: `${BEARER} \`POST /auth/anonymous\`. Staff get \`access_denied\`.`,
    refused: ['unauthenticated', 'access_denied'],
    bearer: true,
  },
  any: {
    name: 'A visitor or a staff member',
    text: `${BEARER} a visitor or a staff member. An object that the caller may not see is \`not_found\`. API keys get \`access_denied\`.`,
    refused: ['unauthenticated', 'access_denied', 'second_factor_required'],
    bearer: true,
  },
  staff: {
    name: 'A staff member',
    text: `${BEARER} \`POST /auth/staff/sign-in\`. Visitors get \`access_denied\`. A session that must first set up or confirm a second factor gets \`second_factor_required\`.`,
    refused: ['unauthenticated', 'access_denied', 'second_factor_required'],
    bearer: true,
  },
  account: {
    name: 'A staff member, for their own account',
    text: `${BEARER} \`POST /auth/staff/sign-in\`. It also works before a second factor is set up.`,
    refused: ['unauthenticated', 'access_denied'],
    bearer: true,
  },
  admin: {
    name: 'An administrator',
    text: `${BEARER} an administrator, who needs a second factor seven days after the first sign-in. Other callers get \`access_denied\` or \`second_factor_required\`.`,
    refused: ['unauthenticated', 'access_denied', 'second_factor_required'],
    bearer: true,
  },
};

/** Every code that a call can be refused with, in the order of `errors`. */
export function refusalsOf({ auth, path, refusals = [] }: Call): ErrorCode[] {
  const possible = new Set<ErrorCode>([
    // Every call: invalid JSON, a body where none is allowed, or a limit (server/src/platform/limits/table.ts).
    'bad_request',
    'too_many',
    'unavailable',
    ...callers[auth].refused,
    ...unknownId(path),
    ...refusals,
  ]);
  return (Object.keys(errors) as ErrorCode[]).filter((code) => possible.has(code));
}

/** A call about one object refuses an unknown id. */
function unknownId(path: string): ErrorCode[] {
  if (!path.includes('/:id')) return [];
  return [path.startsWith('/manage/invites/') ? 'invite_not_found' : 'not_found'];
}

/** The same codes, by HTTP status. */
export function refusalsByStatus(call: Call): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of refusalsOf(call)) {
    const { status } = errors[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([left], [right]) => left - right));
}

const WINDOWS: Record<number, string> = {
  10: '10 seconds',
  60: 'minute',
  900: '15 minutes',
  3600: 'hour',
  86400: 'day',
};
const SETTINGS = { lookupsPerMinute: 'LOOKUPS_PER_MINUTE', codesPerHour: 'CODES_PER_HOUR' } as const;

export const number = (value: number): string => value.toLocaleString('en');

/** For example '10 setup codes per address in 15 minutes'. */
export function limitTexts(call: Call): string[] {
  return ratesOf(call).map((name) => {
    const rate: Rate = rates[name];
    return `${countText(rate)} ${rate.what} per ${rate.per} and ${windowText(rate)}`;
  });
}

export function countText(rate: Rate): string {
  if (typeof rate.count === 'number') return number(rate.count);
  const setting = SETTINGS[rate.count];
  return `${keys[setting].fallback} (\`${setting}\`)`;
}

export function windowText(rate: Rate): string {
  return WINDOWS[rate.seconds] ?? `${rate.seconds} seconds`;
}
