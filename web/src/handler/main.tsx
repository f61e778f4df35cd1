import { lazy, type ReactNode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import '../design/base.css';
import { startServiceWorker } from '../push/serviceWorker.ts';
import { Broken } from '../staff/Broken.tsx';
import { sessionStore } from '../staff/session.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { HandlerApp } from './HandlerApp.tsx';

/** Another page, which the console does not carry. */
const HandlerTest = lazy(() =>
  import('./handlerTest/HandlerTest.tsx').then((page) => ({ default: page.HandlerTest })),
);

function page(): ReactNode {
  const session = sessionStore();
  return /^\/handler-test\/?$/.test(location.pathname) ? (
    <Suspense>
      <HandlerTest session={session} />
    </Suspense>
  ) : (
    <HandlerApp session={session} />
  );
}

const root = document.getElementById('app');
if (root) {
  createRoot(root).render(<ErrorBoundary instead={<Broken />}>{page()}</ErrorBoundary>);
}
startServiceWorker();
