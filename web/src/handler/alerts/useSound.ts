import { useEffect, useRef } from 'react';
import { systemClock } from '../../net/clock.ts';
import { chime } from '../../push/chime.ts';
import { softSound } from '../../push/softSound.ts';
import { soundSetting } from '../account/settings.ts';
import { useSignedIn } from '../context.ts';
import { onVisitorNews } from './onVisitorNews.ts';

/** One soft sound when a visitor writes, except in the conversation that the handler is looking at. */
export function useSound(openId: string | undefined): void {
  const { console } = useSignedIn();
  const open = useRef(openId);
  open.current = openId;

  useEffect(() => {
    const sound = softSound();
    const ring = chime(systemClock, sound.play);
    const unsubscribe = onVisitorNews(console, (rows) => {
      const looksAt = document.hasFocus() ? open.current : undefined;
      const elsewhere = rows.some(({ conversationId }) => conversationId !== looksAt);
      if (elsewhere && soundSetting.get()) ring();
    });
    return () => {
      unsubscribe();
      sound.stop();
    };
  }, [console]);
}
