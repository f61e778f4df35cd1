import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useWriting } from '../../chat/composer/useWriting.ts';
import { hasPicks, type Picks, usePicks } from '../../chat/images/pick/pickStore.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import type { Unsent } from '../../chat/model/unsent.ts';
import { openDraft } from '../../chat/outbox/draft.ts';
import { systemClock } from '../../net/clock.ts';
import { useToasts } from '../../staff/toast/toasts.ts';
import { useSignedIn } from '../context.ts';
import type { ComposerTrouble, Mode } from './ComposerTools.tsx';
import { whenStored, whenUploadsSettle } from './whenStored.ts';

type Parts = {
  field: RefObject<HTMLTextAreaElement | null>;
  conversation: LiveConversation;
  picks: Picks;
  onNote: (note: Unsent) => Promise<void>;
  onTyping: () => void;
};

/** A reply and a note with separate texts and drafts. Only replies have images. */
export function useStaffWriting({ field, conversation, picks, onNote, onTyping }: Parts) {
  const { unsent, console } = useSignedIn();
  const toasts = useToasts();
  const [mode, setMode] = useState<Mode>('reply');
  const [replyDraft] = useState(() => openDraft(unsent, conversation.state().id));
  const [noteDraft] = useState(() => openDraft(unsent, conversation.state().id, true));
  const [notice, setNotice] = useState<ComposerTrouble | null>(null);
  const unmounted = useRef(new AbortController());
  useEffect(() => {
    unmounted.current = new AbortController();
    return () => unmounted.current.abort();
  }, []);

  const reply = useWriting({
    field,
    draft: replyDraft,
    hasMore: hasPicks(picks),
    whenChecked: picks.whenChecked,
    async onSend(taken) {
      const since = begunAt.current;
      await picks.handTo(async () => (await console.images.of(conversation)).uploads);
      if (taken) await conversation.send(taken.text, taken.id, conversation.view(since));
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
  const note = useWriting({
    field,
    draft: noteDraft,
    async onSend(taken) {
      try {
        if (taken) await onNote(taken);
      } catch (error) {
        if (unmounted.current.signal.aborted) toasts.show({ text: consoleTexts.noteFailedElsewhere });
        throw error;
      }
    },
  });

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

/** The latest composer of a conversation. */
const newest = new WeakMap<LiveConversation, object>();

/** Images in this conversation's composer. They are kept while another chat is open. */
export function useStaffPicks(conversation: LiveConversation): Picks {
  const { images } = useSignedIn().console;
  const picks = usePicks(() => images.picks(conversation));
  const [own] = useState(() => ({}));
  useEffect(() => void newest.set(conversation, own), [conversation, own]);
  return {
    ...picks,
    // Only the latest composer sends the text, because it shows the text again.
    whenChecked: () => picks.whenChecked()?.then((good) => good && newest.get(conversation) === own),
  };
}
