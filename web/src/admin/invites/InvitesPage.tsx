import { adminTexts } from '@settee/protocol/adminTexts';
import { Page } from '../parts/Page.tsx';

export function InvitesPage() {
  return <Page title={adminTexts.invites} />;
}
