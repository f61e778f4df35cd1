import type { StaffClaims } from '@settee/protocol/model/staff';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { RouterProvider } from 'react-router/dom';
import { staffStorageKey } from '../chat/outbox/outbox.ts';
import { browserUnsent } from '../chat/outbox/unsentStore.ts';
import { startPush } from '../push/startPush.ts';
import buttons from '../staff/dialog/DialogButtons.module.css';
import { Dialog } from '../staff/dialog/FormDialog.tsx';
import { LoadingPage, StatePage } from '../staff/StatePage.tsx';
import type { Session, SessionStore } from '../staff/session.ts';
import { ToastsContext, toastStore } from '../staff/toast/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { staffPush } from './alerts/staffPush.ts';
import { consoleTitle } from './alerts/useTitle.ts';
import { startConsole } from './console.ts';
import { SignedInContext, useSignedIn } from './context.ts';
import { CommandsContext, commandRegistry } from './keys/commands.ts';
import { takesText } from './keys/keyContext.ts';
import { watchFields } from './keys/removedField.ts';
import { consoleRouter } from './routes.tsx';
import { SecondStep } from './SecondStep.tsx';
import { SignIn, SingleSignOn, takeSingleSignOnResult } from './SignIn.tsx';
import { createScreen } from './screen.ts';
import { signInDestination } from './signInDestination.ts';

/** Shown when every staff member needs a second factor and the deadline has passed. */
const Enrol = lazy(() => import('../staff/security/Enrol.tsx').then((module) => ({ default: module.Enrol })));

export function HandlerApp({ session }: { session: SessionStore }) {
  const state = useSyncExternalStore(session.subscribe, session.get);
  /** Signed in by password, not by cookie: the server has not seen this session before. */
  const [newSession, setNewSession] = useState(false);
  const [arrived] = useState(takeSingleSignOnResult);
  useEffect(() => {
    if (arrived?.asked) session.ask(arrived.asked);
    else void session.load();
  }, [session, arrived]);
  // Also for the sign-in form, whose fields may be removed too.
  useEffect(watchFields, []);
  useSignInTitle(session, signInStepTitle(state));
  const writer = useWriter(state);

  function signIn(email: string, password: string): Promise<void> {
    setNewSession(true);
    return session.signIn(email, password);
  }

  switch (state.phase) {
    case 'loading':
      return <LoadingPage title={consoleTexts.consoleLoading} note={consoleTexts.consoleLoadingNote} />;
    case 'failed':
      return (
        <StatePage title={consoleTexts.authErrorTitle} note={state.reason} alert>
          <Button onClick={() => void session.load()}>{texts.retry}</Button>
        </StatePage>
      );
    case 'signedOut':
      if (writer) {
        return (
          <SignedIn
            key={writer.staff.staffId}
            session={session}
            staff={writer.staff}
            newSession={newSession}
            halfText={writer.text}
          />
        );
      }
      if (state.asked) {
        const { asked, busy, error } = state;
        const { confirm, startOver } = session;
        return <SecondStep asked={asked} busy={busy} error={error} onConfirm={confirm} onBack={startOver} />;
      }
      return (
        <SignIn
          busy={state.busy}
          error={state.error}
          interrupts={state.interrupted !== undefined}
          onSignIn={signIn}
        >
          <SingleSignOn api={session.api} problem={arrived?.problem} />
        </SignIn>
      );
    case 'ready': {
      const arrival = signInDestination(location.search, state.staff);
      if ('goTo' in arrival) return <Redirect to={arrival.goTo} />;
      if (arrival.show === 'accessDenied') return <AccessDenied />;
      if (arrival.show === 'enrol') {
        return (
          <Suspense fallback={<StatePage title={consoleTexts.consoleLoading} />}>
            <Enrol session={session} onDone={() => void session.refresh()} />
          </Suspense>
        );
      }
      return (
        <SignedIn key={state.staff.staffId} session={session} staff={state.staff} newSession={newSession} />
      );
    }
  }
}

/**
 * Whose session ended in mid-sentence. Their chat stays on the screen until they ask for the sign-in form: its fields
 * would get the rest of the sentence.
 */
function useWriter(state: Session): { staff: StaffClaims; text: string } | undefined {
  const staff = state.phase === 'signedOut' ? state.interrupted : undefined;
  const [known, setKnown] = useState({ staff, text: '' });
  let { text } = known;
  if (known.staff !== staff) {
    const field = document.activeElement;
    text = field && takesText(field) && 'value' in field ? String(field.value) : '';
    setKnown({ staff, text });
  }
  return staff && text !== '' ? { staff, text } : undefined;
}

/** Replaces the history entry, so that Back does not return here. */
function Redirect({ to }: { to: string }) {
  useEffect(() => location.replace(to), [to]);
  return <StatePage title={consoleTexts.consoleLoading} />;
}

/** The first part of the title before sign-in. */
function signInStepTitle(state: Session): string | undefined {
  if (state.phase === 'failed') return consoleTexts.authErrorTitle;
  if (state.phase === 'signedOut') return state.asked ? accountTexts.codeTitle : consoleTexts.signInStep;
  const arrival = state.phase === 'ready' && signInDestination(location.search, state.staff);
  if (!arrival || 'goTo' in arrival) return undefined;
  if (arrival.show === 'accessDenied') return adminTexts.accessDeniedTitle;
  return arrival.show === 'enrol' ? accountTexts.enrolTitle : undefined;
}

/** After sign-in the socket provides the profile's name; before, a call does. */
function useSignInTitle(session: SessionStore, step: string | undefined): void {
  useEffect(() => {
    if (step === undefined) return;
    void session.api('readBrand', {}).then((read) => {
      document.title = consoleTitle(read.ok ? read.answer.brand.displayName : '', step);
    });
  }, [session, step]);
}

type SignedInProps = {
  session: SessionStore;
  staff: StaffClaims;
  newSession: boolean;
  /** The session ended while this was being written. Only what is on the screen is left. */
  halfText?: string;
};

function SignedIn({ session, staff, newSession, halfText }: SignedInProps) {
  const { staffId, alias } = staff;
  const [parts, setParts] = useState<ReturnType<typeof startParts> | null>(null);
  useEffect(() => {
    const started = startParts(session, { staffId, alias }, newSession);
    setParts(started);
    return started.stop;
  }, [session, staffId, alias, newSession]);
  const over = halfText !== undefined;
  useEffect(() => {
    if (over) parts?.stop();
  }, [over, parts]);

  if (!parts) return null;
  return (
    <QueryClientProvider client={parts.queries}>
      <SignedInContext value={{ session, staff, ...parts }}>
        <CommandsContext value={parts.commands}>
          <ToastsContext value={parts.toasts}>
            <RouterProvider router={parts.router} />
            {over && <SignedOutDialog text={halfText} onSignIn={session.startOver} />}
          </ToastsContext>
        </CommandsContext>
      </SignedInContext>
    </QueryClientProvider>
  );
}

/** Created per sign-in, so that nothing is left for the next person. */
function startParts(session: SessionStore, who: Pick<StaffClaims, 'staffId' | 'alias'>, newSession: boolean) {
  const unsent = browserUnsent(staffStorageKey(who.staffId));
  const known = session.get();
  const desks = known.phase === 'ready' ? known.staff.desks : undefined;
  const console = startConsole(session, who.staffId, unsent, desks);
  const push = staffPush(session, who);
  if (newSession) push.outdate();
  const stopStart = startPush(push);
  const unsubscribe = session.onLeave(push.leave);
  const router = consoleRouter();
  let stopped = false;
  return {
    console,
    unsent,
    push,
    screen: createScreen(),
    commands: commandRegistry(),
    toasts: toastStore(),
    queries: new QueryClient({ defaultOptions: { queries: { retry: 1 } } }),
    router,
    stop() {
      if (stopped) return;
      stopped = true;
      console.stop();
      unsent.stop();
      router.dispose();
      unsubscribe();
      stopStart();
      // Keep the subscription if the page failed without a sign-out.
      if (session.get().phase === 'signedOut') void push.forget();
    },
  };
}

/** For staff who are not administrators and opened the admin area. */
function AccessDenied() {
  return (
    <StatePage title={adminTexts.accessDeniedTitle} note={adminTexts.accessDeniedNote} alert>
      <Button onClick={() => location.assign('/handler')}>{adminTexts.handlerConsole}</Button>
      <Button look="quiet" onClick={() => location.assign('/chat')}>
        {adminTexts.publicChat}
      </Button>
    </StatePage>
  );
}

/** Over the chat in which the person was writing. What they still type goes nowhere, and Enter presses nothing. */
function SignedOutDialog({ text, onSignIn }: { text: string; onSignIn: () => void }) {
  const { unsent } = useSignedIn();
  return (
    <Dialog title={consoleTexts.signedOut} held onClose={onSignIn}>
      {(close) => (
        <>
          <p
            // As an attribute: React's autoFocus would come before the dialog is open.
            ref={(note) => void note?.toggleAttribute('autofocus', true)}
            className="ink-2"
            tabIndex={-1}
          >
            {unsent.all().some((record) => record.state === 'draft' && record.text.endsWith(text)) &&
              consoleTexts.draftKept}
          </p>
          <div className={buttons.buttons}>
            <Button onClick={close}>{accountTexts.signInAgain}</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
