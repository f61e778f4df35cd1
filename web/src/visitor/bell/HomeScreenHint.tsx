import { useEffect, useEffectEvent, useState } from 'react';
import { attempt } from '../../chat/model/attempt.ts';
import type { ConversationState } from '../../chat/model/conversationState.ts';
import { lazyWithFallback } from '../lazyWithFallback.tsx';
import { onPanelRequested } from './panelRequests.ts';

const SEEN_KEY = 'home_screen_hint';
/** In the place of a code that is being made. */
const MAKING = '…';

const Sheet = lazyWithFallback(() => import('./HomeScreenSheet.tsx').then((part) => part.HomeScreenSheet));

/** Makes a code and answers it, unless it could not be made. It also shows in the banner. */
export type RenewCode = () => Promise<string | null | undefined>;

type HomeScreenHintProps = {
  state: Pick<ConversationState, 'me' | 'log'>;
  /** The one in the banner. */
  code: string | null | undefined;
  onRenewCode: RenewCode | undefined;
};

/** On an iPhone or iPad: how to get notifications all the same. Once by itself, after the first answer, and when asked for. */
export function HomeScreenHint({ state, code, onRenewCode }: HomeScreenHintProps) {
  const [open, setOpen] = useState(false);
  const [fresh, setFresh] = useState<string>();
  const answered = state.log.messages.some(({ sender }) => sender !== state.me);

  // One from an earlier visit may have been used since: such a one is never shown.
  const openWith = useEffectEvent((inSight: string | null | undefined) => {
    setOpen(true);
    setFresh(inSight ?? (onRenewCode && MAKING));
    if (!inSight) void onRenewCode?.().then((made) => setFresh(made ?? undefined));
  });
  // Unasked, it takes no code away that somebody may just be copying.
  const openByItself = useEffectEvent(() => openWith(code));

  useEffect(() => {
    if (!answered || attempt(() => localStorage.getItem(SEEN_KEY))) return;
    return whenNobodyWrites(() => openByItself());
  }, [answered]);
  useEffect(() => onPanelRequested(() => openWith(null)), []);

  if (!open) return null;
  return (
    <Sheet
      code={fresh}
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
