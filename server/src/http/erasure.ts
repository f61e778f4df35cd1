import { eraseConversation, eraseOwn } from '../actions/conversation/eraseConversation.ts';
import type { App } from '../app.ts';
import { countExpiredWithInviteTerm, countExpiredWithTerm } from '../db/conversation/retention.ts';
import { idParam, type Routes } from './route.ts';

export function erasureRoutes(app: App) {
  return {
    eraseConversation: ({ caller, params, query }) =>
      eraseConversation(app, caller, idParam(params.id), query.reason),
    eraseOwn: ({ caller, params }) => eraseOwn(app, caller, idParam(params.id)),
    async countExpired({ query: { days = null, inviteId } }) {
      const conversations = await (inviteId === undefined
        ? countExpiredWithTerm(app.db, days)
        : countExpiredWithInviteTerm(app.db, inviteId, days));
      return { conversations };
    },
  } satisfies Partial<Routes>;
}
