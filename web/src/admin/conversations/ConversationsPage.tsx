import { adminTexts } from '@settee/protocol/adminTexts';
import { Page } from '../parts/Page.tsx';

export function ConversationsPage() {
  return <Page title={adminTexts.conversations} />;
}
