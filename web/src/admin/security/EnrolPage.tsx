import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { useEffect } from 'react';
import { Enrol } from '../../staff/security/Enrol.tsx';
import type { SessionStore } from '../../staff/session.ts';

const HERE = '/admin/security';

/** Shown when the deadline for setting up a second factor has passed. */
export function EnrolPage({ session }: { session: SessionStore }) {
  useEffect(() => {
    document.title = accountTexts.enrolTitle;
  }, []);

  /** Continues to the requested page, or to the dashboard. */
  function go(): void {
    if (location.pathname === HERE) history.replaceState(null, '', '/admin/dashboard');
    void session.refresh();
  }

  return <Enrol session={session} onDone={go} />;
}
