import { MESSAGE_TEXT_MAX } from '@settee/protocol/model/message';
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';

const MAX_HEIGHT_PX = 120;

export type WritingParts = {
  field: RefObject<HTMLTextAreaElement | null>;
  draft: string;
  onDraft: (text: string) => void;
  /** Resolves once the words are safe; until then nothing more can be sent. */
  onSend: (text: string) => Promise<void>;
  onTyping?: () => void;
  /** Something else waits to be sent, for which no words are needed. */
  hasMore?: boolean;
  /** Whether that can be sent, should it not be known yet. */
  whenChecked?: () => Promise<boolean> | undefined;
};

export type Writing = {
  text: string;
  busy: boolean;
  ready: boolean;
  /** What somebody types. */
  write: (text: string) => void;
  /** The same, where nobody types: the other side is told nothing. */
  put: (text: string) => void;
  /** Whether the words are safe now. */
  send: () => Promise<boolean>;
};

/** Words on their way from a field to a conversation: kept as a draft, sent one at a time, never lost. */
export function useWriting({
  field,
  draft,
  onDraft,
  onSend,
  onTyping,
  hasMore = false,
  whenChecked,
}: WritingParts): Writing {
  const [text, setText] = useState(draft);
  const [busy, setBusy] = useState(false);
  const newest = useRef(text);
  /** Sent, but not safe yet. */
  const leaving = useRef('');
  const fits = (words: string) => inLimits(words, hasMore ? 0 : 1);
  const ready = fits(text) && !busy;

  function put(next: string): void {
    newest.current = next;
    setText(next);
    // What is not safe yet is still a draft.
    onDraft(inOrder(leaving.current, next));
  }

  function write(next: string): void {
    put(next);
    if (next.trim() !== '') onTyping?.();
  }

  async function send(): Promise<boolean> {
    let words = newest.current;
    let back = '';
    if (busy || !fits(words)) return false;
    setBusy(true);
    // The tap on the button took the focus; on a phone the keyboard would close.
    field.current?.focus();
    try {
      const judged = whenChecked?.();
      if (judged && !(await judged)) return false;
      // What was typed behind the words since Send was pressed stays.
      const now = newest.current;
      if (!now.startsWith(words)) words = now;
      leaving.current = words;
      put(now.slice(words.length));
      await onSend(words);
      return true;
    } catch (error) {
      console.error('send:', error);
      // Whatever it was, the words are still theirs: before whatever was typed since.
      back = words;
      return false;
    } finally {
      leaving.current = '';
      put(inOrder(back, newest.current));
      setBusy(false);
    }
  }

  return { text, busy, ready, write, put, send };
}

function inOrder(before: string, after: string): string {
  return before && after ? `${before}\n${after}` : before + after;
}

function inLimits(text: string, least: number): boolean {
  const { length } = text.trim();
  return length >= least && length <= MESSAGE_TEXT_MAX;
}

/** As high as its text, up to a limit; from there on it scrolls. */
export function growField(field: HTMLTextAreaElement | null): void {
  if (!field) return;
  field.style.height = 'auto';
  field.style.height = `${Math.min(field.scrollHeight, MAX_HEIGHT_PX)}px`;
  field.style.overflowY = field.scrollHeight > MAX_HEIGHT_PX ? 'auto' : 'hidden';
}

export function useGrowingField(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what changes the height
  useLayoutEffect(() => growField(field.current), [text]);
}

/** While an input method composes, Enter picks a word. Safari ends composing before the key: 229 tells. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.keyCode === 229;
}
