import { createBrowserRouter, Navigate } from 'react-router';
import { Broken } from './Broken.tsx';
import { ConversationPage } from './ConversationPage.tsx';
import { NothingOpen } from './NothingOpen.tsx';
import { Shell } from './Shell.tsx';

export function consoleRouter(): ReturnType<typeof createBrowserRouter> {
  return createBrowserRouter(
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
    ],
    { basename: '/handler' },
  );
}
