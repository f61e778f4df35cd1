import { StrictMode } from 'react';
import '../design/base.css';
import '../staff/staff.css';
import { createRoot } from 'react-dom/client';
import { followChosenLanguage } from '../staff/followChosenLanguage.ts';
import { ErrorPage } from '../staff/StatePage.tsx';
import { sessionStore, watchPerson } from '../staff/session.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { watchKeyboardFocus } from '../ui/keyboardFocus.ts';
import { AdminApp } from './AdminApp.tsx';

watchKeyboardFocus();
const session = sessionStore();
watchPerson(session);
followChosenLanguage(session);
const root = document.getElementById('app');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary instead={<ErrorPage admin />}>
        <AdminApp session={session} />
      </ErrorBoundary>
    </StrictMode>,
  );
}
