import { createBrowserRouter, Navigate } from 'react-router';
import { ErrorPage } from '../staff/ErrorPage.tsx';
import { replaceOverlayEntry } from '../staff/replaceOverlayEntry.ts';
import { AuditPage } from './audit/AuditPage.tsx';
import { ConversationsPage } from './conversations/ConversationsPage.tsx';
import { DashboardPage } from './dashboard/DashboardPage.tsx';
import { Shell } from './frame/Shell.tsx';
import { HoursPage } from './hours/HoursPage.tsx';
import { IntegrationsPage } from './integrations/IntegrationsPage.tsx';
import { InvitesPage } from './invites/InvitesPage.tsx';
import { SheetPage } from './invites/SheetPage.tsx';
import { PeoplePage } from './people/PeoplePage.tsx';
import { ProfilePage } from './profile/ProfilePage.tsx';
import { SecurityPage } from './security/SecurityPage.tsx';

export function adminRouter(): ReturnType<typeof createBrowserRouter> {
  return replaceOverlayEntry(
    createBrowserRouter(
      [
        { path: '/invites/sheet', element: <SheetPage />, errorElement: <ErrorPage admin /> },
        {
          path: '/',
          element: <Shell />,
          errorElement: <ErrorPage admin />,
          children: [
            // Redirects the bare address.
            { index: true, element: <Navigate to="/dashboard" replace /> },
            { path: 'dashboard', element: <DashboardPage /> },
            { path: 'conversations/*', element: <ConversationsPage /> },
            { path: 'invites/*', element: <InvitesPage /> },
            { path: 'handlers/*', element: <PeoplePage /> },
            { path: 'hours', element: <HoursPage /> },
            { path: 'integrations/*', element: <IntegrationsPage /> },
            { path: 'profile', element: <ProfilePage /> },
            { path: 'audit', element: <AuditPage /> },
            { path: 'security', element: <SecurityPage /> },
            { path: '*', element: <Navigate to="/dashboard" replace /> },
          ],
        },
      ],
      { basename: '/admin' },
    ),
  );
}
