import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { useEffect } from 'react';
import { useToasts } from '../../staff/toast/toasts.ts';
import { useSignedIn } from '../context.ts';

/** Says that a reply was not sent, wherever its writer is by now: its chat may have been handed away. */
export function useLeftUnsent(): void {
  const { console } = useSignedIn();
  const toasts = useToasts();
  useEffect(
    () => console.onLeftUnsent(() => toasts.show({ text: consoleTexts.leftUnsent })),
    [console, toasts],
  );
}
