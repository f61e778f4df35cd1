import { AUDIT_PAGE, type auditCalls } from '@settee/protocol/calls/auditCalls';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import { readAuditChoices, readAuditHead, readAuditLog } from '../db/audit/auditLog.ts';
import type { Routes } from './route.ts';

export function auditRoutes(app: App): Pick<Routes, keyof typeof auditCalls> {
  return {
    async readAudit({ query }) {
      const { limit = AUDIT_PAGE, ...filter } = query;
      const [head, found] = await Promise.all([
        readAuditHead(app.db),
        readAuditLog(app.db, filter, limit + 1),
      ]);
      if (found === undefined) throw new Refusal('unavailable');
      const entries = found.slice(0, limit);
      const next = found.length > limit ? (entries.at(-1)?.id ?? null) : null;
      return { success: true, entries, next, head };
    },
    async readAuditChoices() {
      return { success: true, ...(await readAuditChoices(app.db)) };
    },
  };
}
