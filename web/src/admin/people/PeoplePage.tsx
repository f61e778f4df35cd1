import { adminTexts } from '@settee/protocol/adminTexts';
import { Page } from '../parts/Page.tsx';

export function PeoplePage() {
  return <Page title={adminTexts.handlers} />;
}
