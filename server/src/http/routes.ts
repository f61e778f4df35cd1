import { type App, withReserved } from '../app.ts';
import { accountRoutes } from './account.ts';
import { apiKeyRoutes } from './apiKeys.ts';
import { auditRoutes } from './audit.ts';
import { conversationAdminRoutes } from './conversationAdmin.ts';
import { conversationRoutes } from './conversations.ts';
import { dashboardRoutes } from './dashboard.ts';
import { erasureRoutes } from './erasure.ts';
import { inviteAdminRoutes } from './inviteAdmin.ts';
import { inviteRoutes } from './invites.ts';
import { mailRoutes } from './mail.ts';
import { mediaRoutes } from './media.ts';
import { peopleRoutes } from './people.ts';
import { profileRoutes } from './profile.ts';
import { pushRoutes } from './push.ts';
import { queueRoutes } from './queue.ts';
import { replyRoutes } from './replies.ts';
import type { Routes } from './route.ts';
import { searchRoutes } from './search.ts';
import { signInRoutes } from './signIn.ts';
import { visitorRoutes } from './visitors.ts';
import { webhookRoutes } from './webhooks.ts';

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
