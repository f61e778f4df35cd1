import { adminTexts } from '@settee/protocol/adminTexts';
import { Page } from '../parts/Page.tsx';

export function AuditPage() {
  return <Page title={adminTexts.auditLog} />;
}
