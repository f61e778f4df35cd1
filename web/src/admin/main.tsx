import { createRoot } from 'react-dom/client';
import '../design/base.css';
import { Broken } from '../staff/Broken.tsx';
import { sessionStore } from '../staff/session.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { AdminApp } from './AdminApp.tsx';

const root = document.getElementById('app');
if (root) {
  createRoot(root).render(
    <ErrorBoundary instead={<Broken />}>
      <AdminApp session={sessionStore()} />
    </ErrorBoundary>,
  );
}
