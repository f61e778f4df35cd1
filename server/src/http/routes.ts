import { type App, withReserved } from '../app.ts';
import { accountRoutes } from './account.ts';
import { adminRoutes } from './admin.ts';
import { apiKeyRoutes } from './apiKeys.ts';
import { authRoutes } from './auth.ts';
import { conversationRoutes } from './conversations.ts';
import { inviteAdminRoutes } from './inviteAdmin.ts';
import { inviteRoutes } from './invites.ts';
import { mailRoutes } from './mail.ts';
import { mediaRoutes } from './media.ts';
import { peopleRoutes } from './people.ts';
import { profileRoutes } from './profile.ts';
import { pushRoutes } from './push.ts';
import type { Routes } from './route.ts';
import { staffRoutes } from './staff.ts';
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
    ...authRoutes(app),
    ...inviteRoutes(app),
    ...visitorRoutes(app),
    ...conversationRoutes(app),
    ...mediaRoutes(app),
    ...pushRoutes(app),
    ...mailRoutes(app),
    ...profileRoutes(app),
    ...staffRoutes(app),
    ...accountRoutes(app),
    ...peopleRoutes(app),
    ...inviteAdminRoutes(app),
    ...adminRoutes(app),
    ...apiKeyRoutes(app),
    ...webhookRoutes(app),
  };
}
