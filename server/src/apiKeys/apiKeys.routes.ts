import type { App } from '../platform/app.ts';
import { idParam, type Routes } from '../platform/http/route.ts';
import { listApiKeys } from './apiKeys.store.ts';
import { createApiKey, noSuchKey, revokeApiKey } from './apiKeys.ts';

export function apiKeyRoutes(app: App) {
  return {
    readApiKeys: async () => ({ keys: await listApiKeys(app.db) }),
    createApiKey: ({ caller, body }) => createApiKey(app, caller, body),
    revokeApiKey: ({ caller, params }) => revokeApiKey(app, caller, idParam(params.id, noSuchKey)),
  } satisfies Partial<Routes>;
}
