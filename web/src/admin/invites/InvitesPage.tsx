import { Navigate, Route, Routes } from 'react-router';
import { InviteList } from './InviteList.tsx';
import { NewInvitePage } from './NewInvitePage.tsx';

/** Everything below /admin/invites but the sheet, which is paper and has no frame around it. */
export function InvitesPage() {
  return (
    <Routes>
      <Route index element={<InviteList />} />
      <Route path="new" element={<NewInvitePage kind="new" />} />
      <Route path="bulk" element={<NewInvitePage kind="bulk" />} />
      <Route path="import" element={<NewInvitePage kind="import" />} />
      <Route path="*" element={<Navigate to="/invites" replace />} />
    </Routes>
  );
}
