import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useWriting, type Writing, type WritingParts } from '../../chat/composer/useWriting.ts';
import { hasPicks, type Picks } from '../../chat/images/pick/pickStore.ts';
import type { ConversationState } from '../../chat/model/conversationState.ts';
import { removeSentText } from '../../chat/model/drafts.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import { systemClock } from '../../net/clock.ts';
import { useToasts } from '../../staff/toast/toasts.ts';
import { useSignedIn } from '../context.ts';
import { joinTexts, prependDraft } from '../draftStore.ts';
import { forgetReturned, splitReturned } from '../returnedMessage.ts';
import { useMountedRef } from '../useMountedRef.ts';
import type { ComposerTrouble } from './ComposerNotice.tsx';
import type { Mode } from './ComposerTabs.tsx';
import { whenStored, whenUploadsSettle } from './whenStored.ts';

type Parts = {
  field: RefObject<HTMLTextAreaElement | null>;
  conversation: LiveConversation;
  state: ConversationState;
  picks: Picks;
  onNote: (text: string) => Promise<void>;
  onTyping: () => void;
};

/** A reply and a note with separate texts and drafts. Only replies have images. */
export function useStaffWriting({ field, conversation, state, picks, onNote, onTyping }: Parts) {
  const { drafts, console } = useSignedIn();
  const toasts = useToasts();
  const [mode, setMode] = useState<Mode>('reply');
  const [notice, setNotice] = useState<ComposerTrouble | null>(null);
  const unmounted = useRef(new AbortController());
  useEffect(() => {
    unmounted.current = new AbortController();
    return () => unmounted.current.abort();
  }, []);

  const reply = useDraftedWriting({
    field,
    draftKey: state.id,
    hasMore: hasPicks(picks),
    whenChecked: picks.whenChecked,
    async onSend(text) {
      const since = begunAt.current;
      await picks.handTo(async () => (await console.images.of(conversation)).uploads);
      if (text.trim() === '') return true;
      // At once: if the session ends in between, none of them may be sent and also stay in the draft.
      const parts = splitReturned(drafts, state.id, text);
      await Promise.all(parts.map((part) => conversation.send(part.text, part.id, conversation.view(since))));
      return forgetReturned(drafts, state.id, parts);
    },
    onTyping,
  });
  const isEmpty = reply.text === '';
  /** When the reply was begun. A draft of an earlier visit is older than anything that it is shown beside. */
  const begunAt = useRef(isEmpty ? undefined : 0);
  useLayoutEffect(() => {
    begunAt.current = isEmpty ? undefined : (begunAt.current ?? systemClock.now());
  }, [isEmpty]);
  // No onTyping: the visitor must not see typing dots for a note.
  const note = useDraftedWriting({
    field,
    // Another key than the reply's draft: the queue shows only replies.
    draftKey: `${state.id}:note`,
    onSend: (text) => onNote(text).then(() => true),
    onFailedElsewhere: () => toasts.show({ text: consoleTexts.noteFailedElsewhere }),
  });

  // Text may have been returned after the first render read the draft.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only after mounting
  useLayoutEffect(() => {
    const stored = drafts.read(state.id);
    if (stored === reply.text) return;
    reply.put(stored);
    setNotice('held');
  }, []);

  const { handedBack } = state;
  // Before more can be typed. The mode stays, because the text may be a note that is not for the visitor.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when text is returned
  useLayoutEffect(() => {
    if (handedBack.length === 0) return;
    reply.put(prependDraft(joinTexts(handedBack), reply.text));
    setNotice('held');
    conversation.tookBack();
  }, [handedBack]);

  async function send(): Promise<void> {
    const writing = mode === 'reply' ? reply : note;
    if (!writing.ready) return;
    setNotice(null);
    if (!(await writing.send()) && mode === 'note') setNotice('noteFailed');
  }

  /** True if the reply is stored and nothing was typed since, so the conversation may be closed. */
  async function sendAndClose(): Promise<boolean> {
    if (!reply.ready) return false;
    const { signal } = unmounted.current;
    setNotice(null);
    if (!(await reply.send())) return false;
    if (!(await whenUploadsSettle(console.images, conversation, signal))) return false;
    if (!(await whenStored(conversation, signal))) return false;
    // Text typed since then keeps the conversation open.
    const { pending } = conversation.state();
    return pending.every((each) => each.state === 'acked') && field.current?.value === '';
  }

  return { mode, setMode, reply, note, notice, setNotice, send, sendAndClose };
}

type DraftedParts = Omit<WritingParts, 'draft' | 'onDraft' | 'followDraft' | 'onSend'> & {
  draftKey: string;
  /** Resolves to false if the text has returned to the draft. */
  onSend: (text: string) => Promise<boolean>;
  /** Sending failed after the component was unmounted. */
  onFailedElsewhere?: () => void;
};

/** Text of the composer, stored as a draft until it is sent. That may be after the component was unmounted. */
function useDraftedWriting({ draftKey, onFailedElsewhere, ...parts }: DraftedParts): Writing {
  const { drafts } = useSignedIn();
  const mounted = useMountedRef();

  const writing = useWriting({
    ...parts,
    draft: drafts.read(draftKey),
    // An unmounted composer must not overwrite the draft of a new one.
    onDraft: (text) => mounted.current && drafts.write(draftKey, text),
    followDraft: (changed) => drafts.follow(draftKey, changed),
    async onSend(text) {
      let hasLeft: boolean;
      try {
        hasLeft = await parts.onSend(text);
      } catch (error) {
        if (!mounted.current) onFailedElsewhere?.();
        throw error;
      }
      if (hasLeft && !mounted.current) drafts.reportSent(draftKey, text);
    },
  });

  const onSent = useEffectEvent((key: string, text: string) => {
    if (key === draftKey) writing.put(removeSentText(text, writing.text));
  });
  useEffect(() => drafts.onSent((key, text) => onSent(key, text)), [drafts]);

  return writing;
}
