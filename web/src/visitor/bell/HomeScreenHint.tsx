import { useEffect, useState } from 'react';
import { attempt } from '../../chat/attempt.ts';
import type { ConversationState } from '../../chat/conversationState.ts';
import { later } from '../later.tsx';
import { storedSeat } from '../seat.ts';
import { onPanelAsked } from './panelRequests.ts';

const SEEN_KEY = 'home_screen_hint';

const Sheet = later(() => import('./HomeScreenSheet.tsx').then((part) => part.HomeScreenSheet));

type HomeScreenHintProps = {
  state: Pick<ConversationState, 'me' | 'log'>;
  code: string | null | undefined;
  onFreshCode: (() => void) | undefined;
};

/** On an iPhone or iPad: how to get notifications all the same. Once by itself, after the first answer, and when asked for. */
export function HomeScreenHint({ state, code, onFreshCode }: HomeScreenHintProps) {
  const [open, setOpen] = useState(false);
  const answered = state.log.messages.some(({ sender }) => sender !== state.me);

  useEffect(() => {
    if (!answered || attempt(() => localStorage.getItem(SEEN_KEY))) return;
    return whenNobodyWrites(() => setOpen(true));
  }, [answered]);
  useEffect(
    () =>
      onPanelAsked(() => {
        // The one that is stored may have been used since. A fresh one also shows in the banner.
        onFreshCode?.();
        setOpen(true);
      }),
    [onFreshCode],
  );

  if (!open) return null;
  return (
    <Sheet
      code={
        code ??
        storedSeat(() => localStorage, decodeURIComponent(location.pathname.split('/')[2] ?? '')).storedCode()
      }
      onClose={() => {
        attempt(() => localStorage.setItem(SEEN_KEY, 'yes'));
        setOpen(false);
      }}
    />
  );
}

/** Words that are being written come first: a sheet would take the keyboard away. */
function whenNobodyWrites(then: () => void): () => void {
  const writing = () => document.activeElement?.matches('input, textarea') ?? false;
  const check = () => {
    if (writing()) return;
    stop();
    then();
  };
  // The focus is nowhere yet while it moves.
  const onFocusOut = () => setTimeout(check);
  const stop = () => document.removeEventListener('focusout', onFocusOut);
  document.addEventListener('focusout', onFocusOut);
  check();
  return stop;
}
