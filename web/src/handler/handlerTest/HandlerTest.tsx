import type { StaffClaims } from '@settee/protocol/model/staff';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useState } from 'react';
import { StatePage } from '../../staff/StatePage.tsx';
import type { SessionStore } from '../../staff/session.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './HandlerTest.module.css';

type Found = { available: boolean; staff: StaffClaims | null };

/** For whoever looks for why somebody cannot get in: what this browser has, and what the server says to it. */
export function HandlerTest({ session }: { session: SessionStore }) {
  const found = useFound(session);
  useEffect(() => {
    document.title = consoleTexts.testTitle;
  }, []);
  return (
    <StatePage title={consoleTexts.testTitle}>
      <dl className={styles.list} aria-busy={found === null}>
        <dt>{consoleTexts.testAuth}</dt>
        <dd>
          {found === null
            ? texts.loading
            : found.available
              ? consoleTexts.testAuthYes
              : consoleTexts.testAuthNo}
        </dd>
        <dt>{consoleTexts.testUser}</dt>
        <dd>
          {found === null
            ? texts.loading
            : found.staff
              ? describeStaff(found.staff)
              : consoleTexts.testUserNone}
        </dd>
        <dt>{consoleTexts.testMobile}</dt>
        <dd>{isMobile() ? consoleTexts.yes : consoleTexts.no}</dd>
      </dl>
      <Button onClick={() => location.assign('/handler')}>{consoleTexts.testOpen}</Button>
    </StatePage>
  );
}

/** A refusal is an answer too: whoever is not signed in learns so from an authentication that works. */
function useFound({ api }: SessionStore): Found | null {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    void api('refreshStaff', {}).then((answer) =>
      setFound(
        answer.ok
          ? { available: true, staff: answer.answer.staff }
          : { available: [401, 403].includes(answer.status), staff: null },
      ),
    );
  }, [api]);
  return found;
}

function describeStaff({ name, role, alias }: StaffClaims): string {
  return [name, role, alias ?? consoleTexts.testUserNone].join(', ');
}

/** As the browser says of itself; where it says nothing, by what its name tells. */
function isMobile(): boolean {
  const { userAgentData } = navigator as { userAgentData?: { mobile?: boolean } };
  return userAgentData?.mobile ?? /Mobi|Android/.test(navigator.userAgent);
}
