import type { SavedReply } from '@settee/protocol/model/savedReply';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { matchReplies } from '../replies/matchReplies.ts';
import { type SlashWord, slashWordAt } from '../replies/slashWord.ts';

type PickerParts = {
  text: string;
  /** The caret, or null while the field has no focus. */
  caret: number | null;
  replies: readonly SavedReply[] | undefined;
  onPick: (reply: SavedReply, word: SlashWord) => void;
};

export type ReplyPicker = {
  open: boolean;
  /** Undefined while loading. */
  matches: readonly SavedReply[] | undefined;
  active: SavedReply | undefined;
  point: (reply: SavedReply) => void;
  pick: (reply: SavedReply) => void;
  /** Closes the picker for this word; the slash is then ordinary text. */
  dismiss: () => void;
  /** True if the picker handled the key. */
  onKeyDown: (event: KeyboardEvent) => boolean;
};

export function useReplyPicker({ text, caret, replies, onPick }: PickerParts): ReplyPicker {
  const word = useMemo(() => (caret === null ? null : slashWordAt(text, caret)), [text, caret]);
  const [dismissed, setDismissed] = useState<number | null>(null);
  const [pointed, setPointed] = useState<{ id: string; query: string } | null>(null);
  // Another slash reopens the picker.
  if (dismissed !== null && dismissed !== word?.start && caret !== null) setDismissed(null);

  const open = word !== null && dismissed !== word.start;
  const query = word?.query;
  const matches = useMemo(
    () => (query === undefined ? [] : replies && matchReplies(replies, query)),
    [query, replies],
  );
  // After another letter the first match is active again.
  const active = matches?.find(({ id }) => pointed?.query === query && pointed?.id === id) ?? matches?.[0];

  const point = ({ id }: SavedReply): void => setPointed({ id, query: query ?? '' });

  function pick(reply: SavedReply): void {
    if (word) onPick(reply, word);
  }

  function dismiss(): void {
    setDismissed(word?.start ?? null);
  }

  function onKeyDown(event: KeyboardEvent): boolean {
    // Also with Ctrl or ⌘: an incomplete shortcut must not be sent or close the chat.
    const modified = (event.ctrlKey || event.metaKey) && event.key !== 'Enter';
    if (!open || modified || event.altKey) return false;
    const isChoice = (event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey;
    if (event.key === 'Escape') dismiss();
    // A shortcut typed before the replies loaded must not be sent.
    else if (isChoice && event.key === 'Enter' && !matches) event.preventDefault();
    else if (isChoice && active) pick(active);
    else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && matches && active) {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      const next = matches.at((matches.indexOf(active) + step) % matches.length);
      if (next) point(next);
    } else return false;
    event.preventDefault();
    return true;
  }

  return { open, matches, active, point, pick, dismiss, onKeyDown };
}
