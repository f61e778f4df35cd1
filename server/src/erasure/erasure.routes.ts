import type { App } from '../platform/app.ts';
import { idParam, type Routes } from '../platform/http/route.ts';
import { eraseConversation, eraseOwn } from './eraseConversation.ts';
import { countExpiredWithInviteTerm, countExpiredWithTerm } from './retention.store.ts';

export function erasureRoutes(app: App) {
  return {
    eraseConversation: ({ caller, params, query }) =>
      eraseConversation(app, caller, idParam(params.id), query.reason),
    eraseOwn: ({ caller, params }) => eraseOwn(app, caller, idParam(params.id)),
    async countExpired({ query: { days = null, inviteId, profile } }) {
      const conversations = await (inviteId === undefined
        ? countExpiredWithTerm(app.db, days, profile)
        : countExpiredWithInviteTerm(app.db, inviteId, days));
      return { conversations };
    },
  } satisfies Partial<Routes>;
}
