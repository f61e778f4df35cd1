import { Navigate, Route, Routes } from 'react-router';
import { InviteList } from './InviteList.tsx';
import { BulkPage, ImportPage, OnePage } from './NewInvitePage.tsx';

/** Everything below /admin/invites but the sheet, which is paper and has no frame around it. */
export function InvitesPage() {
  return (
    <Routes>
      <Route index element={<InviteList />} />
      <Route path="new" element={<OnePage />} />
      <Route path="bulk" element={<BulkPage />} />
      <Route path="import" element={<ImportPage />} />
      <Route path="*" element={<Navigate to="/invites" replace />} />
    </Routes>
  );
}
