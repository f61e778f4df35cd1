import { MESSAGE_TEXT_MAX } from '@settee/protocol/model/message';
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

const MAX_HEIGHT_PX = 120;

export type WritingParts = {
  field: RefObject<HTMLTextAreaElement | null>;
  draft: string;
  onDraft: (text: string) => void;
  followDraft?: (changed: (before: string, text: string) => void) => () => void;
  /** Resolves when the text is in the outbox. Until then nothing more can be sent. */
  onSend: (text: string) => Promise<void>;
  onTyping?: () => void;
  /** Images wait to be sent, so the text may be empty. */
  hasMore?: boolean;
  /** Resolves to whether the images can be sent, while they are being checked. */
  whenChecked?: () => Promise<boolean> | undefined;
};

export type Writing = {
  text: string;
  busy: boolean;
  ready: boolean;
  /** Text typed by the user. */
  write: (text: string) => void;
  /** Text set by code. Sends no typing frame. */
  put: (text: string) => void;
  /** Resolves to whether the text was sent. */
  send: () => Promise<boolean>;
};

/** The text of a composer: kept as a draft, sent once at a time, never lost. */
export function useWriting({
  field,
  draft,
  onDraft,
  followDraft,
  onSend,
  onTyping,
  hasMore = false,
  whenChecked,
}: WritingParts): Writing {
  const [text, setText] = useState(draft);
  const [busy, setBusy] = useState(false);
  const newest = useRef(text);
  /** Sent, but not in the outbox yet. */
  const leaving = useRef('');
  const fits = (message: string) => inLimits(message, hasMore ? 0 : 1);
  const ready = fits(text) && !busy;

  // Windows share the draft. Otherwise one could send it twice, or overwrite what the other kept.
  const follow = useEffectEvent(() =>
    followDraft?.((before, next) => {
      if (newest.current !== before) return;
      newest.current = next;
      setText(next);
    }),
  );
  useEffect(() => follow(), []);

  function put(next: string): void {
    newest.current = next;
    setText(next);
    // Text that is not in the outbox yet stays in the draft.
    onDraft(inOrder(leaving.current, next));
  }

  function write(next: string): void {
    put(next);
    if (next.trim() !== '') onTyping?.();
  }

  async function send(): Promise<boolean> {
    let message = newest.current;
    let back = '';
    if (busy || !fits(message)) return false;
    setBusy(true);
    // The tap moved the focus to the button, which would close a phone's keyboard.
    field.current?.focus();
    try {
      const checked = whenChecked?.();
      if (checked && !(await checked)) return false;
      // Keep text that was typed after Send.
      const now = newest.current;
      if (!now.startsWith(message)) message = now;
      leaving.current = message;
      put(now.slice(message.length));
      await onSend(message);
      return true;
    } catch (error) {
      console.error('send:', error);
      // Put the text back before anything typed since.
      back = message;
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

/** Grows with the text up to a limit, then scrolls. */
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

/** While an input method composes, Enter selects a candidate. Safari ends composing first and reports key code 229. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.keyCode === 229;
}
