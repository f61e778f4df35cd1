import { adminTexts } from '@settee/protocol/adminTexts';
import { Page } from '../parts/Page.tsx';

export function ProfilePage() {
  return <Page title={adminTexts.publicProfile} />;
}
