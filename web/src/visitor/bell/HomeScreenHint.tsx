import { useEffect, useEffectEvent, useState } from 'react';
import { attempt } from '../../chat/model/attempt.ts';
import type { ConversationState } from '../../chat/model/conversationState.ts';
import { lazyWithFallback } from '../lazyWithFallback.tsx';
import { onPanelRequested } from './panelRequests.ts';

const SEEN_KEY = 'home_screen_hint';
/** Placeholder while a code is requested. */
const MAKING = '…';

const Sheet = lazyWithFallback(() => import('./HomeScreenSheet.tsx').then((part) => part.HomeScreenSheet));

/** Requests a new continue code, which replaces the one that works. It also appears in the banner. */
export type RenewCode = () => Promise<string | null | undefined>;

type HomeScreenHintProps = {
  state: Pick<ConversationState, 'me' | 'log'>;
  /** The code that works, if any. */
  code: string | null | undefined;
  onRenewCode: RenewCode | undefined;
};

/** Explains how to get notifications on an iPhone or iPad. Opens once after the first reply, and on request. */
export function HomeScreenHint({ state, code, onRenewCode }: HomeScreenHintProps) {
  const [open, setOpen] = useState(false);
  const [fresh, setFresh] = useState<string>();
  const answered = state.log.messages.some(({ sender }) => sender !== state.me);

  // A code that works stays: the visitor may be copying it.
  const openNow = useEffectEvent(() => {
    setOpen(true);
    setFresh(onRenewCode && MAKING);
    if (!code) void onRenewCode?.().then((made) => setFresh(made ?? undefined));
  });

  useEffect(() => {
    if (!answered || attempt(() => localStorage.getItem(SEEN_KEY))) return;
    return whenNobodyWrites(() => openNow());
  }, [answered]);
  useEffect(() => onPanelRequested(() => openNow()), []);

  if (!open) return null;
  return (
    <Sheet
      code={code ?? fresh}
      onClose={() => {
        attempt(() => localStorage.setItem(SEEN_KEY, 'yes'));
        setOpen(false);
      }}
    />
  );
}

/** Do not interrupt typing: the sheet would close the keyboard. */
function whenNobodyWrites(then: () => void): () => void {
  const writing = () => document.activeElement?.matches('input, textarea') ?? false;
  const check = () => {
    if (writing()) return;
    stop();
    then();
  };
  // During focusout, no element has the focus yet.
  const onFocusOut = () => setTimeout(check);
  const stop = () => document.removeEventListener('focusout', onFocusOut);
  document.addEventListener('focusout', onFocusOut);
  check();
  return stop;
}
