import { texts } from '@settee/protocol/texts/texts';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { reloadPage } from '../browser/reloadPage.ts';
import { startServiceWorker } from '../push/serviceWorker.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { watchKeyboardFocus } from '../ui/keyboardFocus.ts';
import { connect } from './connection.ts';
import { ErrorView } from './ErrorView.tsx';
import { InvitePage } from './InvitePage.tsx';
import { LoadingView } from './LoadingView.tsx';
import { lazyWithFallback } from './lazyWithFallback.tsx';
import { loadForms } from './loadForms.ts';
import { loadRoom } from './loadRoom.ts';
import { mountUnderPreloader } from './preloader.ts';

/** A separate page that the invite chat does not load. */
const BrandChat = lazyWithFallback(
  () => import('./BrandChat.tsx').then((page) => page.BrandChat),
  () => <ErrorView title={texts.inviteErrorTitle} reason={texts.networkError} onRetry={reloadPage} />,
  () => <LoadingView />,
);

const token = /^\/i\/([^/]+)\/?$/.exec(location.pathname)?.[1];

function page(): ReactNode {
  if (token) {
    const invite = decodeURIComponent(token);
    return <InvitePage token={invite} connection={connect(invite)} />;
  }
  const [isChat, mark] = /^\/chat(?:\/([^/]+))?\/?$/.exec(location.pathname) ?? [];
  if (isChat) return <BrandChat connection={connect(mark)} />;
  return <ErrorView title={texts.notFoundTitle} reason={texts.notFoundNote} />;
}

watchKeyboardFocus();
// Preload. If this fails, the first use loads them again.
if (token) for (const load of [loadForms, loadRoom]) load().catch(() => undefined);
const root = document.getElementById('app');
if (root) {
  mountUnderPreloader(() =>
    createRoot(root).render(
      <StrictMode>
        <ErrorBoundary instead={<ErrorView title={texts.inviteErrorTitle} />}>{page()}</ErrorBoundary>
      </StrictMode>,
    ),
  );
}
startServiceWorker();
