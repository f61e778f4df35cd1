import { MESSAGE_TEXT_MAX } from '@settee/protocol/model/message';
import { type KeyboardEvent, type RefObject, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { Unsent } from '../model/unsent.ts';
import type { Draft } from '../outbox/draft.ts';

const MAX_HEIGHT_PX = 120;

export type WritingParts = {
  field: RefObject<HTMLTextAreaElement | null>;
  draft: Draft;
  /** Resolves when the text is in the outbox. Until then nothing more can be sent. Undefined for images alone. */
  onSend: (taken: Unsent | undefined) => Promise<void>;
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
  onSend,
  onTyping,
  hasMore = false,
  whenChecked,
}: WritingParts): Writing {
  const text = useSyncExternalStore(draft.subscribe, draft.read);
  const [busy, setBusy] = useState(false);
  const fits = (message: string) => inLimits(message, hasMore ? 0 : 1);
  const ready = fits(text) && !busy;

  function write(next: string): void {
    draft.write(next);
    if (next.trim() !== '') onTyping?.();
  }

  async function send(): Promise<boolean> {
    let message = draft.read();
    if (busy || !fits(message)) return false;
    setBusy(true);
    // The tap moved the focus to the button, which would close a phone's keyboard.
    field.current?.focus();
    let taken: Unsent | undefined;
    try {
      const checked = whenChecked?.();
      if (checked && !(await checked)) return false;
      // Keep text that was typed after Send.
      const now = draft.read();
      if (!now.startsWith(message)) message = now;
      taken = draft.take(message);
      await onSend(taken);
      return true;
    } catch (error) {
      console.error('send:', error);
      if (taken) draft.putBack(taken);
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { text, busy, ready, write, put: draft.write, send };
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
