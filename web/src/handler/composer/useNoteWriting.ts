import { consoleTexts } from '@settee/protocol/consoleTexts';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useWriting, type Writing } from '../../chat/useWriting.ts';
import { useToasts } from '../../staff/toast/toasts.ts';
import { useSignedIn } from '../context.ts';
import { onNoteArrived, tellNoteArrived } from '../notes/noteArrived.ts';
import { noteDraft } from '../notes/noteDraft.ts';
import { wordsAfter } from '../wordsBefore.ts';

type Parts = {
  field: RefObject<HTMLTextAreaElement | null>;
  conversationId: string;
  onNote: (text: string) => Promise<void>;
};

/** A note being written. It may take longer to arrive than its writer stays. */
export function useNoteWriting({ field, conversationId, onNote }: Parts): Writing {
  const { drafts } = useSignedIn();
  const toasts = useToasts();
  const [stored] = useState(() => noteDraft(drafts, conversationId));
  const here = useRef(true);

  // Without onTyping: the visitor must not see dots for what is not for them.
  const note = useWriting({
    field,
    draft: stored.read(),
    // Who has left must not write over what is typed in a new composer.
    onDraft: (text) => here.current && stored.write(text),
    onSend: async (text) => {
      try {
        await stored.send(text, onNote);
        if (!here.current) tellNoteArrived(conversationId, text);
      } catch (error) {
        if (!here.current) toasts.show({ text: consoleTexts.noteFailedElsewhere });
        throw error;
      }
    },
  });

  const newest = useRef(note);
  newest.current = note;
  useEffect(() => {
    here.current = true;
    const unsubscribe = onNoteArrived((id, words) => {
      const { text, write } = newest.current;
      if (id === conversationId) write(wordsAfter(words, text));
    });
    return () => {
      here.current = false;
      unsubscribe();
    };
  }, [conversationId]);

  return note;
}
