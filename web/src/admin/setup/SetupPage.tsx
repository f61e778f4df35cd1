import { setupTexts } from '@settee/protocol/texts/setupTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useCallback, useEffect, useState } from 'react';
import { StatePage } from '../../staff/StatePage.tsx';
import type { SessionStore } from '../../staff/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { SetupForm } from './SetupForm.tsx';

/** Where the first administrator comes from. Nobody is signed in here, so it comes before the gate. */
export function SetupPage({ session }: { session: SessionStore }) {
  const [needed, setNeeded] = useState<boolean | 'asking' | 'failed'>('asking');

  const ask = useCallback(async () => {
    setNeeded('asking');
    const read = await session.api('readSetup', {});
    setNeeded(read.ok ? read.answer.needed : 'failed');
  }, [session]);
  useEffect(() => void ask(), [ask]);
  useEffect(() => {
    document.title = setupTexts.title;
  }, []);

  if (needed === 'asking') {
    return (
      <StatePage title={setupTexts.title}>
        <p>
          <Spinner label={texts.loading} />
        </p>
      </StatePage>
    );
  }
  if (needed === 'failed') {
    return (
      <StatePage title={setupTexts.loadFailed} alert>
        <Button onClick={() => void ask()}>{texts.tryAgain}</Button>
      </StatePage>
    );
  }
  if (!needed) {
    return (
      <StatePage title={setupTexts.doneTitle} note={setupTexts.doneNote}>
        <Button onClick={() => location.assign('/admin')}>{setupTexts.toSignIn}</Button>
      </StatePage>
    );
  }
  return (
    <StatePage title={setupTexts.title} note={setupTexts.note}>
      <SetupForm session={session} onDone={() => setNeeded(false)} />
    </StatePage>
  );
}
