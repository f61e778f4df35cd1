import { useEffect, useEffectEvent } from 'react';
import { useWriting, type Writing, type WritingParts } from '../../chat/composer/useWriting.ts';
import { useSignedIn } from '../context.ts';
import { removeSentText } from '../draftStore.ts';
import { useMountedRef } from '../useMountedRef.ts';

type Parts = Omit<WritingParts, 'draft' | 'onDraft'> & {
  /** The draft's key. */
  draftKey: string;
  /** Sending failed after the component was unmounted. */
  onFailedElsewhere?: () => void;
};

/** Text of the composer, stored as a draft until it is sent. That may be after the component was unmounted. */
export function useDraftedWriting({ draftKey, onFailedElsewhere, ...parts }: Parts): Writing {
  const { drafts } = useSignedIn();
  const mounted = useMountedRef();

  const writing = useWriting({
    ...parts,
    draft: drafts.read(draftKey),
    // An unmounted composer must not overwrite the draft of a new one.
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
