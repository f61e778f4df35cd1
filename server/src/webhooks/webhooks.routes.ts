import type { App } from '../platform/app.ts';
import { idParam, type Routes } from '../platform/http/route.ts';
import { listDeliveries } from './webhookDeliveries.store.ts';
import { findWebhook, listWebhooks } from './webhookEndpoints.store.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  noSuchWebhook,
  requireWebhook,
  resendDelivery,
  rotateWebhookSecret,
} from './webhooks.ts';

export function webhookRoutes(app: App) {
  return {
    readWebhooks: async () => ({ webhooks: await listWebhooks(app.db) }),
    createWebhook: ({ caller, body }) => createWebhook(app, caller, body),
    changeWebhook: ({ caller, params, body }) => changeWebhook(app, caller, webhookId(params), body),
    deleteWebhook: ({ caller, params }) => deleteWebhook(app, caller, webhookId(params)),
    rotateWebhookSecret: ({ caller, params }) => rotateWebhookSecret(app, caller, webhookId(params)),
    async readDeliveries({ params, query }) {
      const id = webhookId(params);
      await requireWebhook(app.db, id, findWebhook);
      return listDeliveries(app.db, id, query);
    },
    resendDelivery: ({ caller, params, body }) =>
      resendDelivery(app, caller, webhookId(params), body.position),
  } satisfies Partial<Routes>;
}

function webhookId({ id }: { id: string }): string {
  return idParam(id, noSuchWebhook);
}
