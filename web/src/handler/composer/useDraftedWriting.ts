import { useEffect, useRef } from 'react';
import { useWriting, type Writing, type WritingParts } from '../../chat/composer/useWriting.ts';
import { useSignedIn } from '../context.ts';
import { useHere } from '../useHere.ts';
import { wordsAfter } from '../wordsBefore.ts';
import { onWordsSafe, tellWordsSafe } from './wordsSafe.ts';

type Parts = Omit<WritingParts, 'draft' | 'onDraft'> & {
  /** Of the draft. */
  draftKey: string;
  /** The words did not get away, and nobody is there to see it. */
  onFailedElsewhere?: () => void;
};

/** Words at the console, kept as a draft until they are safe. That may take longer than their writer stays. */
export function useDraftedWriting({ draftKey, onFailedElsewhere, ...parts }: Parts): Writing {
  const { drafts } = useSignedIn();
  const here = useHere();

  const writing = useWriting({
    ...parts,
    draft: drafts.read(draftKey),
    // Who has left must not write over what is typed in a new composer.
    onDraft: (text) => here.current && drafts.write(draftKey, text),
    async onSend(words) {
      try {
        await parts.onSend(words);
      } catch (error) {
        if (!here.current) onFailedElsewhere?.();
        throw error;
      }
      if (here.current) return;
      drafts.write(draftKey, wordsAfter(words, drafts.read(draftKey)));
      tellWordsSafe(draftKey, words);
    },
  });

  const newest = useRef(writing);
  newest.current = writing;
  useEffect(
    () =>
      onWordsSafe((key, words) => {
        const { text, put } = newest.current;
        if (key === draftKey) put(wordsAfter(words, text));
      }),
    [draftKey],
  );

  return writing;
}
