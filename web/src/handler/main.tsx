import { createRoot } from 'react-dom/client';
import '../design/base.css';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { Broken } from './Broken.tsx';
import { HandlerApp } from './HandlerApp.tsx';
import { sessionStore } from './session.ts';

const root = document.getElementById('app');
if (root) {
  createRoot(root).render(
    <ErrorBoundary instead={<Broken />}>
      <HandlerApp session={sessionStore()} />
    </ErrorBoundary>,
  );
}
