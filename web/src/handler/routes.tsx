import { createBrowserRouter, Navigate } from 'react-router';
import { Broken } from '../staff/Broken.tsx';
import { replaceOverlayEntry } from '../staff/replaceOverlayEntry.ts';
import { ConversationPage } from './conversation/ConversationPage.tsx';
import { NothingOpen } from './conversation/NothingOpen.tsx';
import { Shell } from './Shell.tsx';
import { SecurityPlace } from './security/SecurityPlace.tsx';

export function consoleRouter(): ReturnType<typeof createBrowserRouter> {
  return replaceOverlayEntry(
    createBrowserRouter(
      [
        {
          path: '/',
          element: <Shell />,
          errorElement: <Broken />,
          children: [
            { index: true, element: <NothingOpen /> },
            { path: 'conversation/:conversationId', element: <ConversationPage /> },
            { path: '*', element: <Navigate to="/" replace /> },
          ],
        },
        { path: '/security', element: <SecurityPlace />, errorElement: <Broken /> },
      ],
      { basename: '/handler' },
    ),
  );
}
