import { adminTexts } from '@settee/protocol/adminTexts';
import { Page } from '../parts/Page.tsx';

export function EnrolPage() {
  return <Page title={adminTexts.security} />;
}
