import { apiKeyRoutes } from '../apiKeys/apiKeys.routes.ts';
import { auditRoutes } from '../audit/audit.routes.ts';
import { conversationAdminRoutes } from '../conversations/conversationAdmin.routes.ts';
import { conversationRoutes } from '../conversations/conversations.routes.ts';
import { queueRoutes } from '../conversations/queue.routes.ts';
import { dashboardRoutes } from '../dashboard/dashboard.routes.ts';
import { erasureRoutes } from '../erasure/erasure.routes.ts';
import { inviteAdminRoutes } from '../invites/inviteAdmin.routes.ts';
import { inviteRoutes } from '../invites/invites.routes.ts';
import { mailRoutes } from '../mail/mail.routes.ts';
import { mediaRoutes } from '../media/media.routes.ts';
import { type App, withReserved } from '../platform/app.ts';
import type { Routes } from '../platform/http/route.ts';
import { profileRoutes } from '../profile/profile.routes.ts';
import { pushRoutes } from '../push/push.routes.ts';
import { replyRoutes } from '../replies/replies.routes.ts';
import { searchRoutes } from '../search/search.routes.ts';
import { accountRoutes } from '../staff/account/account.routes.ts';
import { peopleRoutes } from '../staff/people/people.routes.ts';
import { signInRoutes } from '../staff/signIn/signIn.routes.ts';
import { visitorRoutes } from '../visitors/visitors.routes.ts';
import { webhookRoutes } from '../webhooks/webhooks.routes.ts';

/**
 * Every call of the protocol. A missing call is a type error. The calls that stop somebody use the reserved connections:
 * they must work when a hostile client keeps all others busy.
 */
export function createRoutes(app: App): Routes {
  const reserved = allRoutes(withReserved(app));
  return {
    ...allRoutes(app),
    setStatus: reserved.setStatus,
    closeMany: reserved.closeMany,
    revokeInvites: reserved.revokeInvites,
    revokeApiKey: reserved.revokeApiKey,
    deactivatePerson: reserved.deactivatePerson,
    signOutEverywhere: reserved.signOutEverywhere,
  };
}

function allRoutes(app: App): Routes {
  return {
    ...signInRoutes(app),
    ...inviteRoutes(app),
    ...visitorRoutes(app),
    ...conversationRoutes(app),
    ...mediaRoutes(app),
    ...pushRoutes(app),
    ...mailRoutes(app),
    ...profileRoutes(app),
    ...queueRoutes(app),
    ...searchRoutes(app),
    ...replyRoutes(app),
    ...accountRoutes(app),
    ...peopleRoutes(app),
    ...inviteAdminRoutes(app),
    ...conversationAdminRoutes(app),
    ...erasureRoutes(app),
    ...dashboardRoutes(app),
    ...auditRoutes(app),
    ...apiKeyRoutes(app),
    ...webhookRoutes(app),
  };
}
