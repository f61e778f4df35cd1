import type { ConversationStatus } from '@settee/protocol/model/conversation';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useCallback, useState } from 'react';
import { ignoreWhileRunning } from '../../staff/ignoreWhileRunning.ts';
import { useToasts } from '../../staff/toast/toasts.ts';
import { useAdmin } from '../context.ts';

type Subject = { id: string; name: string; status: ConversationStatus };

/** Closes an open conversation or reopens a closed one. Failures are passed as text. */
export function useToggleStatus(): (subject: Subject, onFailed: (text: string) => void) => void {
  const { session } = useAdmin();
  const toasts = useToasts();
  const [once] = useState(ignoreWhileRunning);
  return useCallback(
    ({ id, name, status }, onFailed) => {
      const open = status === 'open';
      void once(async () => {
        const answer = await session.api('setStatus', {
          params: { id },
          body: { status: open ? 'closed' : 'open', from: status },
        });
        if (!answer.ok) return onFailed(answer.text || texts.actionFailed);
        toasts.show({ text: fillText(open ? texts.closedOne : texts.reopenedOne, { name }) });
      });
    },
    [session, toasts, once],
  );
}
