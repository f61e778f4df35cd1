import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import type { RefObject } from 'react';
import type { Writing } from '../../chat/composer/useWriting.ts';
import { useToasts } from '../../staff/toast/toasts.ts';
import { useDraftedWriting } from './useDraftedWriting.ts';

type Parts = {
  field: RefObject<HTMLTextAreaElement | null>;
  conversationId: string;
  onNote: (text: string) => Promise<void>;
};

/** A note being written. Without onTyping: the visitor must not see dots for what is not for them. */
export function useNoteWriting({ field, conversationId, onNote }: Parts): Writing {
  const toasts = useToasts();
  return useDraftedWriting({
    field,
    // Beside the reply's: the queue, which shows replies, does not find it.
    draftKey: `${conversationId}:note`,
    onSend: onNote,
    onFailedElsewhere: () => toasts.show({ text: consoleTexts.noteFailedElsewhere }),
  });
}
