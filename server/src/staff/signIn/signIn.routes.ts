import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/app.ts';
import { signStaff } from '../../platform/auth/idToken.ts';
import { Refusal } from '../../platform/auth/refusal.ts';
import { isSetUp } from '../../platform/db/installation.ts';
import { addressKey, networkOf, sessionOrigin } from '../../platform/http/client.ts';
import { refuseForeignOrigin, requireOwnOrigin } from '../../platform/http/origin.ts';
import { orSendStaff } from '../../platform/http/otherCell.ts';
import type { Routes } from '../../platform/http/route.ts';
import { type Staff, severalDesks } from '../../platform/ports/caller.ts';
import { readLanguage } from '../accounts.store.ts';
import { knownBrowser, markBrowser } from '../knownBrowser.ts';
import { type OpenedSession, refreshStaff, signOutStaff } from '../sessions.ts';
import { clearStaffCookie, readStaffCookie, setStaffCookie } from '../staffCookie.ts';
import { setUp } from './setUp.ts';
import { confirmSignIn, signInStaff } from './signIn.ts';

/** Signing in, and the first setup. */
export function signInRoutes(app: App) {
  return {
    async signInStaff({ body, request, reply }) {
      refuseForeignOrigin(app, request);
      const opened = await orClearCookie(app, reply, ['access_denied'], () =>
        signInStaff(app, {
          ...body,
          ...browserOf(app, request),
          browser: knownBrowser(app, request, body.email),
        }),
      );
      if ('asked' in opened) return { secondFactor: opened.asked };
      keepSession(app, reply, opened);
      return signedIn(app, opened.staff);
    },

    readSignIn: async () => ({ singleSignOn: app.config.singleSignOn?.name ?? null }),

    async confirmSignIn({ body, request, reply }) {
      refuseForeignOrigin(app, request);
      const opened = await confirmSignIn(app, { ...body, ...browserOf(app, request) });
      keepSession(app, reply, opened);
      return signedIn(app, opened.staff);
    },

    async refreshStaff({ body, request, reply }) {
      const tokenHash = readStaffCookie(app, request);
      const staff = await orClearCookie(app, reply, ['unauthenticated', 'access_denied'], () =>
        orSendStaff(app, reply, tokenHash, async () => {
          if (tokenHash === undefined) throw new Refusal('unauthenticated');
          return refreshStaff(app, tokenHash, { ...body, network: networkOf(request.ip) });
        }),
      );
      return signedIn(app, staff);
    },

    async signOutStaff({ request, reply }) {
      const tokenHash = readStaffCookie(app, request);
      if (tokenHash !== undefined) await signOutStaff(app, tokenHash);
      clearStaffCookie(app, reply);
    },

    readSetup: async () => ({ needed: !(await isSetUp(app.db)) }),

    async setUp({ body, request, reply }) {
      requireOwnOrigin(app, request);
      keepSession(app, reply, await setUp(app, { ...body, ...browserOf(app, request) }));
    },
  } satisfies Partial<Routes>;
}

/** The address, for rate limits; what the list of sessions shows; and the session that a new one replaces. */
function browserOf(app: App, request: FastifyRequest) {
  const address = addressKey(request.ip);
  return { address, origin: sessionOrigin(request), replaces: readStaffCookie(app, request) };
}

function keepSession(app: App, reply: FastifyReply, { secret, email, staff }: OpenedSession): void {
  reply.request.staffId = staff.staffId;
  setStaffCookie(app, reply, secret);
  markBrowser(app, reply, email);
}

async function signedIn(app: App, staff: Staff) {
  const { staffId, name, role, alias, verified, enrolBy, overdue } = staff;
  const language = await readLanguage(app.db, staffId);
  const claims = {
    staffId,
    name,
    role,
    alias,
    ...severalDesks(staff),
    mustEnrol: !verified,
    enrolBy,
    adminClosed: overdue,
    language,
  };
  return { staff: claims, ...(await signStaff(app, staff)) };
}

/** Removes the cookie of a session that has ended. */
async function orClearCookie<T>(
  app: App,
  reply: FastifyReply,
  codes: Refusal['code'][],
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Refusal && codes.includes(error.code)) clearStaffCookie(app, reply);
    throw error;
  }
}
