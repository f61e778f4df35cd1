import '../design/base.css';
import '../staff/staff.css';
import { lazy, type ReactNode, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { startServiceWorker } from '../push/serviceWorker.ts';
import { followChosenLanguage } from '../staff/followChosenLanguage.ts';
import { ErrorPage } from '../staff/StatePage.tsx';
import { sessionStore, watchPerson } from '../staff/session.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { watchKeyboardFocus } from '../ui/keyboardFocus.ts';
import { HandlerApp } from './HandlerApp.tsx';

/** Pages outside of the console, loaded on demand. */
const HandlerTest = lazy(() =>
  import('./handlerTest/HandlerTest.tsx').then((page) => ({ default: page.HandlerTest })),
);

const PasswordPage = lazy(() =>
  import('./password/PasswordPage.tsx').then((page) => ({ default: page.PasswordPage })),
);

function page(): ReactNode {
  const session = sessionStore();
  watchPerson(session);
  followChosenLanguage(session);
  switch (location.pathname.replace(/\/$/, '')) {
    case '/handler-test':
      return <HandlerTest session={session} />;
    case '/handler/password':
      return <PasswordPage session={session} />;
    default:
      return <HandlerApp session={session} />;
  }
}

watchKeyboardFocus();
const root = document.getElementById('app');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary instead={<ErrorPage />}>
        <Suspense>{page()}</Suspense>
      </ErrorBoundary>
    </StrictMode>,
  );
}
startServiceWorker();
