import type { App } from '../platform/app.ts';
import { idParam, type Routes } from '../platform/http/route.ts';
import { readMailFigures } from './mailFigures.store.ts';
import { confirmReplyMail, dropReplyMail, readReplyMail, saveReplyMail } from './replyMail.ts';

export function mailRoutes(app: App) {
  return {
    readReplyMail: async ({ caller, params }) => ({
      mail: await readReplyMail(app, caller, idParam(params.id)),
    }),
    saveReplyMail: async ({ caller, params, body }) => ({
      mail: await saveReplyMail(app, caller, idParam(params.id), body),
    }),
    confirmReplyMail: async ({ caller, params, body }) => ({
      mail: await confirmReplyMail(app, caller, idParam(params.id), body.code),
    }),
    dropReplyMail: ({ caller, params }) => dropReplyMail(app, caller, idParam(params.id)),
    readMailFigures: async () => ({
      figures: app.config.mail === undefined ? null : await readMailFigures(app.db),
    }),
  } satisfies Partial<Routes>;
}
