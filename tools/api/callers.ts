import type { Auth } from '../../protocol/src/calls/call.ts';
import type { ErrorCode } from '../../protocol/src/calls/errorCodes.ts';

type Kind = {
  name: string;
  /** What to send, and who that is. */
  words: string;
  /** How whoever is somebody else is refused. */
  refused: readonly ErrorCode[];
  /** Whether a token is asked for. */
  bearer: boolean;
};

const BEARER = 'Send `Authorization: Bearer` with the `idToken` of';

/** Who may call, by the word of protocol/src/calls/call.ts. */
export const callers: Record<Auth, Kind> = {
  none: { name: 'Anyone', words: 'No token is looked at.', refused: [], bearer: false },
  cookie: {
    name: 'Whoever holds the cookie',
    words:
      'The cookie of this browser speaks. Send `Origin` with the address of the installation, as a browser does; a call without it, or with another, is `access_denied`.',
    refused: ['access_denied'],
    bearer: false,
  },
  visitor: {
    name: 'A visitor',
    words: `${BEARER} \`POST /auth/anonymous\`. A member of staff is \`access_denied\`.`,
    refused: ['unauthenticated', 'access_denied'],
    bearer: true,
  },
  any: {
    name: 'Either side',
    words: `${BEARER} a visitor or of a member of staff. What is not the caller’s does not exist: \`not_found\`.`,
    refused: ['unauthenticated', 'second_factor_required'],
    bearer: true,
  },
  staff: {
    name: 'A member of staff',
    words: `${BEARER} \`POST /auth/staff/sign-in\`. A visitor is \`access_denied\`; a session that has to show or set up a second factor first is \`second_factor_required\`.`,
    refused: ['unauthenticated', 'access_denied', 'second_factor_required'],
    bearer: true,
  },
  account: {
    name: 'A member of staff, about themselves',
    words: `${BEARER} \`POST /auth/staff/sign-in\`; also before a second factor is set up.`,
    refused: ['unauthenticated', 'access_denied'],
    bearer: true,
  },
  admin: {
    name: 'An administrator',
    words: `${BEARER} an administrator, who needs a second factor seven days after the first sign-in. Anyone else is \`access_denied\` or \`second_factor_required\`.`,
    refused: ['unauthenticated', 'access_denied', 'second_factor_required'],
    bearer: true,
  },
};
