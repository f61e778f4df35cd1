import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import type { Writing } from '../../chat/composer/useWriting.ts';
import { useSignedIn } from '../context.ts';
import {
  type Edited,
  fillReply,
  insertAt,
  insertTemporarySlash,
  replaceWord,
  type TemporarySlash,
  withoutTemporarySlash,
} from '../replies/slashWord.ts';
import { useSavedReplies } from '../replies/useSavedReplies.ts';
import type { Mode } from './ComposerTabs.tsx';
import type { Caret } from './useComposerField.ts';
import { useReplyPicker } from './useReplyPicker.ts';

type Parts = {
  field: RefObject<HTMLTextAreaElement | null>;
  mode: Mode;
  reply: Writing;
  caret: Caret;
  visitorName: string;
  /** Switches to the reply and focuses the field. */
  onReply: () => void;
};

/** Saved replies in the composer: the picker behind a slash, and replies that other panes insert. */
export function useComposerReplies({ field, mode, reply, caret, visitorName, onReply }: Parts) {
  const { screen } = useSignedIn();
  const { data: replies } = useSavedReplies();
  const [temporarySlash, setTemporarySlash] = useState<TemporarySlash | null>(null);
  const picker = useReplyPicker({
    text: reply.text,
    caret: mode === 'reply' ? caret.at : null,
    replies,
    onPick: (picked, word) => place(replaceWord(reply.text, word, fillReply(picked.text, visitorName))),
  });

  /** `write`, not `put`: inserting a saved reply counts as typing. */
  function place({ text, caret: at }: Edited): void {
    reply.write(text);
    caret.moveTo(at);
  }

  const lastCaret = () => (mode === 'reply' ? caret.last() : reply.text.length);

  const insert = useEffectEvent((text: string) => {
    const at = lastCaret();
    onReply();
    place(insertAt(reply.text, at, fillReply(text, visitorName)));
  });
  useEffect(() => screen.insertText.subscribe((text) => insert(text)), [screen]);

  return {
    picker,
    openPicker(): void {
      const now = { text: reply.text, caret: lastCaret() };
      const slash = insertTemporarySlash(withoutTemporarySlash(temporarySlash, now));
      onReply();
      // A temporary slash does not count as typing.
      reply.put(slash.after.text);
      caret.moveTo(slash.after.caret);
      setTemporarySlash(slash);
    },
    removeTemporarySlash(): void {
      const now = { text: reply.text, caret: caret.last() };
      const rest = withoutTemporarySlash(temporarySlash, now);
      if (rest === now) return;
      reply.put(rest.text);
      // Without focus there is no caret to move, and some browsers would focus the field again.
      if (document.activeElement === field.current) caret.moveTo(rest.caret);
      setTemporarySlash(null);
    },
  };
}
