import type { StaffClaims } from '@settee/protocol/model/staff';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useState } from 'react';
import { listText } from '../../browser/listText.ts';
import { StatePage } from '../../staff/StatePage.tsx';
import type { SessionStore } from '../../staff/session.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './HandlerTest.module.css';

type Found = { available: boolean; staff: StaffClaims | null };

/** Diagnoses sign-in problems: the browser's state and the server's answer. */
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

/** A refusal means that authentication works and nobody is signed in. */
function useFound({ api }: SessionStore): Found | null {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    void api('refreshStaff', { body: {} }).then((answer) =>
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
  return listText([name, role, alias ?? consoleTexts.testUserNone]);
}

/** By client hints, otherwise by the user agent. */
function isMobile(): boolean {
  const { userAgentData } = navigator as { userAgentData?: { mobile?: boolean } };
  return userAgentData?.mobile ?? /Mobi|Android/.test(navigator.userAgent);
}
