import { useEffect, useEffectEvent } from 'react';
import { useWriting, type Writing, type WritingParts } from '../../chat/composer/useWriting.ts';
import { useSignedIn } from '../context.ts';
import { removeSentText } from '../draftStore.ts';
import { useMountedRef } from '../useMountedRef.ts';

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
    async onSend(text) {
      try {
        await parts.onSend(text);
      } catch (error) {
        if (!mounted.current) onFailedElsewhere?.();
        throw error;
      }
      if (mounted.current) return;
      drafts.write(draftKey, removeSentText(text, drafts.read(draftKey)));
      drafts.reportSent(draftKey, text);
    },
  });

  const onSent = useEffectEvent((key: string, text: string) => {
    if (key === draftKey) writing.put(removeSentText(text, writing.text));
  });
  useEffect(() => drafts.onSent((key, text) => onSent(key, text)), [drafts]);

  return writing;
}
