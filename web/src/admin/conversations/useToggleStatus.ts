import type { ConversationStatus } from '@settee/protocol/model/conversation';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useCallback } from 'react';
import { useChange } from '../../staff/useChange.ts';
import { useAdmin } from '../context.ts';

type Subject = { id: string; name: string; status: ConversationStatus };

/** Closes an open conversation or reopens a closed one. */
export function useToggleStatus(problems?: 'toast') {
  const { session } = useAdmin();
  const { error, run } = useChange(problems);
  const toggle = useCallback(
    ({ id, name, status }: Subject) => {
      const open = status === 'open';
      const body = { status: open ? 'closed' : 'open', from: status } as const;
      void run(() => session.api('setStatus', { params: { id }, body }), {
        say: fillText(open ? texts.closedOne : texts.reopenedOne, { name }),
        of: id,
      });
    },
    [session, run],
  );
  return { error, toggle };
}
