import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { useEffect } from 'react';
import { Enrol } from '../../staff/security/Enrol.tsx';
import type { SessionStore } from '../../staff/session.ts';

const HERE = '/admin/security';

/** All that an administrator sees here after the days for setting up a second factor are over. */
export function EnrolPage({ session }: { session: SessionStore }) {
  useEffect(() => {
    document.title = accountTexts.enrolTitle;
  }, []);

  /** On to where they wanted to go; who was sent here wanted nowhere in particular. */
  function go(): void {
    if (location.pathname === HERE) history.replaceState(null, '', '/admin/dashboard');
    void session.refresh();
  }

  return <Enrol session={session} onDone={go} />;
}
