import { texts } from '@settee/protocol/texts';
import { createRoot } from 'react-dom/client';
import { connect } from './connection.ts';
import { ErrorView } from './ErrorView.tsx';
import { InvitePage } from './InvitePage.tsx';
import { mountUnderPreloader } from './preloader.ts';
import { startServiceWorker } from './serviceWorker.ts';

const token = /^\/i\/([^/]+)\/?$/.exec(location.pathname)?.[1];
const root = document.getElementById('app');
if (root) {
  mountUnderPreloader(() =>
    createRoot(root).render(
      token ? (
        <InvitePage token={decodeURIComponent(token)} connection={connect()} />
      ) : (
        <ErrorView title={texts.notFoundTitle} reason={texts.notFoundNote} />
      ),
    ),
  );
}
startServiceWorker();
