import type { StaffClaims } from '@settee/protocol/model/staff';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { setupTexts } from '@settee/protocol/texts/setupTexts';
import { texts } from '@settee/protocol/texts/texts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { RouterProvider } from 'react-router/dom';
import { LoadingPage, StatePage } from '../staff/StatePage.tsx';
import type { SessionStore } from '../staff/session.ts';
import { type Toasts, ToastsContext, toastStore } from '../staff/toast/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { AdminContext } from './context.ts';
import { type LiveAdmin, startLiveAdmin } from './liveAdmin.ts';
import { adminRouter } from './routes.tsx';

const SetupPage = lazy(() =>
  import('./setup/SetupPage.tsx').then((module) => ({ default: module.SetupPage })),
);

/** For administrators who did not set up a second factor in time. */
const EnrolPage = lazy(() =>
  import('./security/EnrolPage.tsx').then((module) => ({ default: module.EnrolPage })),
);

/** The setup page comes before sign-in, because a new installation has no administrator. */
export function AdminApp({ session }: { session: SessionStore }) {
  if (!/^\/admin\/setup\/?$/.test(location.pathname)) return <Gate session={session} />;
  return (
    <Suspense fallback={<LoadingPage title={adminTexts.adminLoading} />}>
      <SetupPage session={session} />
    </Suspense>
  );
}

/** Lets administrators in. Others go to the sign-in page or to their console. */
function Gate({ session }: { session: SessionStore }) {
  const state = useSyncExternalStore(session.subscribe, session.get);
  // Wait for the answer: redirecting too early would cause an endless redirect loop.
  const load = useCallback(() => void session.load({ patient: true }), [session]);
  useEffect(load, [load]);

  switch (state.phase) {
    case 'loading':
      return <LoadingPage title={adminTexts.adminLoading} />;
    case 'failed':
      return (
        <StatePage title={consoleTexts.authErrorTitle} note={state.reason} alert>
          <Button onClick={load}>{texts.retry}</Button>
        </StatePage>
      );
    case 'signedOut':
      return <SignedOut session={session} />;
    case 'ready':
      if (state.staff.role !== 'admin') return <Redirect to="/handler?denied" />;
      if (state.staff.mustEnrol || state.staff.adminClosed) {
        return (
          <Suspense fallback={<StatePage title={adminTexts.adminLoading} />}>
            <EnrolPage session={session} />
          </Suspense>
        );
      }
      return <SignedIn key={state.staff.staffId} session={session} staff={state.staff} />;
  }
}

/** Goes to the sign-in page, unless nobody can sign in yet. */
function SignedOut({ session }: { session: SessionStore }) {
  const [empty, setEmpty] = useState<boolean>();
  useEffect(() => {
    void session.api('readSetup', {}).then((read) => setEmpty(read.ok && read.answer.needed));
  }, [session]);
  if (empty === undefined) return <StatePage title={adminTexts.adminRedirecting} />;
  if (!empty)
    return <Redirect to={`/handler?next=${encodeURIComponent(location.pathname + location.search)}`} />;
  return (
    <StatePage title={setupTexts.emptyTitle}>
      <Button onClick={() => location.assign('/admin/setup')}>{setupTexts.setUp}</Button>
    </StatePage>
  );
}

/** Replaces the history entry, so that Back does not return here. */
function Redirect({ to }: { to: string }) {
  useEffect(() => location.replace(to), [to]);
  return <StatePage title={adminTexts.adminRedirecting} />;
}

type Parts = {
  live: LiveAdmin;
  queries: QueryClient;
  toasts: Toasts;
  router: ReturnType<typeof adminRouter>;
};

/** Created per sign-in, so that nothing is left for the next person. */
function SignedIn({ session, staff }: { session: SessionStore; staff: StaffClaims }) {
  const [parts, setParts] = useState<Parts | null>(null);

  useEffect(() => {
    const queries = new QueryClient({ defaultOptions: { queries: { retry: 1 } } });
    const live = startLiveAdmin(session, queries);
    const router = adminRouter();
    setParts({ live, queries, toasts: toastStore(), router });
    return () => {
      live.stop();
      router.dispose();
    };
  }, [session]);

  if (!parts) return null;
  return (
    <QueryClientProvider client={parts.queries}>
      <AdminContext value={{ session, staff, live: parts.live }}>
        <ToastsContext value={parts.toasts}>
          <RouterProvider router={parts.router} />
        </ToastsContext>
      </AdminContext>
    </QueryClientProvider>
  );
}
