import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { lazy, Suspense } from 'react';
import { ListLoading } from '../../staff/ListState.tsx';
import { useAdmin } from '../context.ts';
import { Page } from '../parts/Page.tsx';

const SecurityPanel = lazy(() =>
  import('../../staff/security/SecurityPanel.tsx').then((part) => ({ default: part.SecurityPanel })),
);

export function SecurityPage() {
  const { session } = useAdmin();
  return (
    <Page title={adminTexts.security}>
      <Suspense fallback={<ListLoading text={adminTexts.adminLoading} />}>
        <SecurityPanel session={session} />
      </Suspense>
    </Page>
  );
}
