import { createBrowserRouter, Navigate } from 'react-router';
import { replaceOverlayEntry } from '../staff/replaceOverlayEntry.ts';
import { ErrorPage } from '../staff/StatePage.tsx';
import { Shell } from './frame/Shell.tsx';
import { SheetPage } from './invites/SheetPage.tsx';
import { places } from './places.tsx';
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
            ...places.map(({ path, page }) => ({ path: `${path}/*`, element: page })),
            { path: 'security', element: <SecurityPage /> },
            { path: '*', element: <Navigate to="/dashboard" replace /> },
          ],
        },
      ],
      { basename: '/admin' },
    ),
  );
}
