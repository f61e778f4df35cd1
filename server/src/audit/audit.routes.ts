import { AUDIT_PAGE } from '@settee/protocol/calls/auditCalls';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import type { Routes } from '../platform/http/route.ts';
import { readAuditChoices, readAuditHead, readAuditLog } from './auditLog.store.ts';

export function auditRoutes(app: App) {
  return {
    async readAudit({ query }) {
      const { limit = AUDIT_PAGE, ...filter } = query;
      const [head, page] = await Promise.all([
        readAuditHead(app.db),
        readAuditLog(app.db, filter, { limit }),
      ]);
      if (page === undefined) throw new Refusal('unavailable');
      return { ...page, head };
    },
    readAuditChoices: () => readAuditChoices(app.db),
  } satisfies Partial<Routes>;
}
