import { adminTexts } from '@settee/protocol/adminTexts';
import { Page } from '../parts/Page.tsx';
import { FirstSteps } from '../setup/FirstSteps.tsx';

export function DashboardPage() {
  return (
    <Page title={adminTexts.dashboard}>
      <FirstSteps />
    </Page>
  );
}
