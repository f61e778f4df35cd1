import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useSwitch } from '../../browser/storedSwitch.ts';
import { countNew } from '../../chat/model/unread.ts';
import { systemClock } from '../../net/clock.ts';
import { chime } from '../../push/chime.ts';
import { soundSetting } from './soundSetting.ts';
import { type Chat, useOnReply } from './useBackgroundNotices.ts';

/** Counts replies in the title and icon of a background tab, and plays the sound if it is on. */
export function useTabBadge(chat: Chat | undefined): void {
  const hidden = useSyncExternalStore(onVisibility, () => document.hidden);
  const closed = chat?.state.view?.canSend === false;
  const name = chat && (closed ? `${texts.closedTitle} · ${chat.name}` : chat.name);
  const count = chat?.state.loaded && hidden ? countNew(chat.state, chat.state.view?.visitorSeen ?? 0) : 0;
  useEffect(() => {
    if (name === undefined) return;
    document.title = count > 0 ? `(${count}) ${name}` : name;
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    if (icon) icon.href = count > 0 ? '/favicon-unread.svg' : '/favicon.svg';
  }, [count, name]);

  const ring = useSound();
  useOnReply(chat, () => {
    if (!document.hasFocus()) ring.current?.();
  });
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** Loads the sound's script only if the sound is on. */
function useSound() {
  const on = useSwitch(soundSetting);
  const ring = useRef<(() => void) | undefined>(undefined);
  useEffect(() => {
    if (!on) return;
    let end: (() => void) | undefined;
    let wanted = true;
    import('../../push/softSound.ts').then(
      ({ softSound }) => {
        if (!wanted) return;
        const sound = softSound();
        ring.current = chime(systemClock, sound.play);
        end = sound.stop;
      },
      (error: unknown) => console.error('sound:', error),
    );
    return () => {
      wanted = false;
      ring.current = undefined;
      end?.();
    };
  }, [on]);
  return ring;
}
