import { createApiKey, noSuchKey, revokeApiKey } from '../actions/integrations/apiKeys.ts';
import type { App } from '../app.ts';
import { listApiKeys } from '../db/integrations/apiKeys.ts';
import { idParam, type Routes } from './route.ts';

export function apiKeyRoutes(app: App) {
  return {
    readApiKeys: async () => ({ keys: await listApiKeys(app.db) }),
    createApiKey: ({ caller, body }) => createApiKey(app, caller, body),
    revokeApiKey: ({ caller, params }) => revokeApiKey(app, caller, idParam(params.id, noSuchKey)),
  } satisfies Partial<Routes>;
}
