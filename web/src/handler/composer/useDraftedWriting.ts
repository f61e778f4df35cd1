import { useEffect, useRef } from 'react';
import { useWriting, type Writing, type WritingParts } from '../../chat/composer/useWriting.ts';
import { useSignedIn } from '../context.ts';
import { removeSentText } from '../draftStore.ts';
import { useMountedRef } from '../useMountedRef.ts';
import { notifyDraftSaved, onDraftSaved } from './draftSaved.ts';

type Parts = Omit<WritingParts, 'draft' | 'onDraft'> & {
  /** Of the draft. */
  draftKey: string;
  /** The words did not get away, and nobody is there to see it. */
  onFailedElsewhere?: () => void;
};

/** Words at the console, kept as a draft until they are safe. That may take longer than their writer stays. */
export function useDraftedWriting({ draftKey, onFailedElsewhere, ...parts }: Parts): Writing {
  const { drafts } = useSignedIn();
  const mounted = useMountedRef();

  const writing = useWriting({
    ...parts,
    draft: drafts.read(draftKey),
    // Who has left must not write over what is typed in a new composer.
    onDraft: (text) => mounted.current && drafts.write(draftKey, text),
    async onSend(words) {
      try {
        await parts.onSend(words);
      } catch (error) {
        if (!mounted.current) onFailedElsewhere?.();
        throw error;
      }
      if (mounted.current) return;
      drafts.write(draftKey, removeSentText(words, drafts.read(draftKey)));
      notifyDraftSaved(draftKey, words);
    },
  });

  const newest = useRef(writing);
  newest.current = writing;
  useEffect(
    () =>
      onDraftSaved((key, words) => {
        const { text, put } = newest.current;
        if (key === draftKey) put(removeSentText(words, text));
      }),
    [draftKey],
  );

  return writing;
}
