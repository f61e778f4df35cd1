import type { Auth } from '../../protocol/src/calls/call.ts';
import type { ErrorCode } from '../../protocol/src/calls/errorCodes.ts';
import type { CallName } from '../../protocol/src/calls/http.ts';

export type CallNote = {
  summary: string;
  /** In addition to those that follow from the caller, the path, the body and an outage: see refusals.ts. */
  refused?: readonly ErrorCode[];
  /** The cookie that authenticates the caller. */
  cookie?: 'visitorCookie' | 'staffCookie';
};
export type AreaNotes = Record<string, Partial<Record<CallName, CallNote>>>;

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
