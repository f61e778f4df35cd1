import { texts } from '@settee/protocol/texts';
import { type ReactNode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { connect } from './connection.ts';
import { ErrorView } from './ErrorView.tsx';
import { InvitePage } from './InvitePage.tsx';
import { LoadingView } from './LoadingView.tsx';
import { later } from './later.tsx';
import { mountUnderPreloader } from './preloader.ts';
import { startServiceWorker } from './serviceWorker.ts';

/** Another page, which the invite chat does not carry. */
const BrandChat = later(
  () => import('./BrandChat.tsx').then((page) => page.BrandChat),
  () => <ErrorView title={texts.inviteErrorTitle} reason={texts.networkError} />,
);

function page(): ReactNode {
  const token = /^\/i\/([^/]+)\/?$/.exec(location.pathname)?.[1];
  if (token) return <InvitePage token={decodeURIComponent(token)} connection={connect()} />;
  if (!/^\/chat\/?$/.test(location.pathname)) {
    return <ErrorView title={texts.notFoundTitle} reason={texts.notFoundNote} />;
  }
  return (
    <Suspense fallback={<LoadingView />}>
      <BrandChat connection={connect()} />
    </Suspense>
  );
}

const root = document.getElementById('app');
if (root) mountUnderPreloader(() => createRoot(root).render(page()));
startServiceWorker();
