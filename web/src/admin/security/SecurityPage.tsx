import { adminTexts } from '@settee/protocol/adminTexts';
import { Page } from '../parts/Page.tsx';

export function SecurityPage() {
  return <Page title={adminTexts.security} />;
}
