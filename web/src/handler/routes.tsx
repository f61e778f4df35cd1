import { createBrowserRouter, Navigate } from 'react-router';
import { replaceOverlayEntry } from '../staff/replaceOverlayEntry.ts';
import { ErrorPage } from '../staff/StatePage.tsx';
import { ConversationPage } from './conversation/ConversationPage.tsx';
import { NoConversation } from './conversation/NoConversation.tsx';
import { Shell } from './Shell.tsx';
import { SecurityPage } from './security/SecurityPage.tsx';

export function consoleRouter(): ReturnType<typeof createBrowserRouter> {
  return replaceOverlayEntry(
    createBrowserRouter(
      [
        {
          path: '/',
          element: <Shell />,
          errorElement: <ErrorPage />,
          children: [
            { index: true, element: <NoConversation /> },
            { path: 'conversation/:conversationId', element: <ConversationPage /> },
            { path: '*', element: <Navigate to="/" replace /> },
          ],
        },
        { path: '/security', element: <SecurityPage />, errorElement: <ErrorPage /> },
      ],
      { basename: '/handler' },
    ),
  );
}
