import type { FastifyReply } from 'fastify';
import { refreshStaff, signOutStaff } from '../actions/staff/sessions.ts';
import { confirmSignIn, signInStaff } from '../actions/staff/signIn.ts';
import type { App } from '../app.ts';
import { signStaff, signVisitor } from '../auth/idToken.ts';
import { Refusal } from '../auth/refusal.ts';
import { clearStaffCookie, readStaffCookie, setStaffCookie } from '../auth/staffCookie.ts';
import { newVisitor, readVisitorCookie, setVisitorCookie, visitorOf } from '../auth/visitorCookie.ts';
import type { Staff } from '../caller.ts';
import { isReplaced } from '../db/conversation/devices.ts';
import { addressKey } from './address.ts';
import { refuseForeignOrigin } from './origin.ts';
import type { Routes } from './route.ts';

type AuthRoutes = Pick<
  Routes,
  'signInAnonymously' | 'signInStaff' | 'confirmSignIn' | 'refreshStaff' | 'signOutStaff'
>;

export function authRoutes(app: App): AuthRoutes {
  return {
    async signInAnonymously({ request, reply }) {
      const cookie = readVisitorCookie(app, request);
      // A secret that was replaced long ago is no way back to that visitor: its holder starts as someone new.
      const known = cookie && !(await isReplaced(app.db.sql, visitorOf(cookie), { sinceLongAgo: true }));
      const visitor = known ? cookie : newVisitor(app);
      setVisitorCookie(app, reply, visitor);
      keepPrivate(reply);
      const token = await signVisitor(app, visitorOf(visitor));
      return { success: true, visitorId: visitor.visitorId, ...token };
    },

    async signInStaff({ body, request, reply }) {
      refuseForeignOrigin(app, request);
      keepPrivate(reply);
      const opened = await orClearCookie(app, reply, ['access_denied'], () =>
        signInStaff(app, {
          ...body,
          address: addressKey(request.ip),
          replaces: readStaffCookie(app, request),
        }),
      );
      if ('asked' in opened) return { success: true, secondFactor: opened.asked };
      setStaffCookie(app, reply, opened.secret);
      return answerFor(app, opened.staff);
    },

    async confirmSignIn({ body, request, reply }) {
      refuseForeignOrigin(app, request);
      keepPrivate(reply);
      const { staff, secret } = await confirmSignIn(app, {
        ...body,
        address: addressKey(request.ip),
        replaces: readStaffCookie(app, request),
      });
      setStaffCookie(app, reply, secret);
      return answerFor(app, staff);
    },

    async refreshStaff({ request, reply }) {
      keepPrivate(reply);
      const staff = await orClearCookie(app, reply, ['unauthenticated', 'access_denied'], () => {
        const tokenHash = readStaffCookie(app, request);
        if (tokenHash === undefined) throw new Refusal('unauthenticated');
        return refreshStaff(app, tokenHash);
      });
      return answerFor(app, staff);
    },

    async signOutStaff({ request, reply }) {
      const tokenHash = readStaffCookie(app, request);
      if (tokenHash !== undefined) await signOutStaff(app, tokenHash);
      clearStaffCookie(app, reply);
      return { success: true };
    },
  };
}

async function answerFor(app: App, staff: Staff) {
  const { staffId, name, role, alias, verified, enrolBy, overdue } = staff;
  const claims = { staffId, name, role, alias, mustEnrol: !verified, enrolBy, adminClosed: overdue };
  return { success: true as const, staff: claims, ...(await signStaff(app, staff)) };
}

/** A session that is over must not stay in the browser either. */
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

function keepPrivate(reply: FastifyReply): void {
  reply.header('cache-control', 'no-store');
}
