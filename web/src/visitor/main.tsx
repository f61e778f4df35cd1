import { texts } from '@settee/protocol/texts';
import { Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import '../design/base.css';
import { connect } from './connection.ts';
import { ErrorView } from './ErrorView.tsx';
import { InvitePage } from './InvitePage.tsx';
import { LoadingView } from './LoadingView.tsx';
import { later } from './later.tsx';

/** Another page, which the invite chat does not carry. */
const BrandChat = later(
  () => import('./BrandChat.tsx').then((page) => page.BrandChat),
  () => <ErrorView title={texts.inviteErrorTitle} reason={texts.networkError} />,
);

const token = /^\/i\/([^/]+)\/?$/.exec(location.pathname)?.[1];
const root = document.getElementById('app');
if (root) {
  createRoot(root).render(
    token ? (
      <InvitePage token={decodeURIComponent(token)} connection={connect()} />
    ) : /^\/chat\/?$/.test(location.pathname) ? (
      <Suspense fallback={<LoadingView />}>
        <BrandChat connection={connect()} />
      </Suspense>
    ) : (
      <ErrorView title={texts.notFoundTitle} reason={texts.notFoundNote} />
    ),
  );
}
