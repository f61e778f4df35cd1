import { adminTexts } from '@settee/protocol/adminTexts';
import { Page } from '../parts/Page.tsx';

export function DashboardPage() {
  return <Page title={adminTexts.dashboard} />;
}
