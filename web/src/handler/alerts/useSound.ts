import { useEffect, useRef } from 'react';
import { systemClock } from '../../net/clock.ts';
import { useSignedIn } from '../context.ts';
import { chime } from './chime.ts';
import { softSound } from './softSound.ts';
import { soundSetting } from './soundSetting.ts';
import { visitorNews } from './visitorNews.ts';

/** One soft sound when a visitor writes, except in the conversation that the handler is looking at. */
export function useSound(openId: string | undefined): void {
  const { console } = useSignedIn();
  const open = useRef(openId);
  open.current = openId;

  useEffect(() => {
    const sound = softSound();
    const ring = chime(systemClock, sound.play);
    const news = visitorNews();
    let seen = console.get().queue;
    if (seen) news(seen);
    const unsubscribe = console.subscribe(() => {
      const { queue } = console.get();
      if (!queue || queue === seen) return;
      seen = queue;
      const looksAt = document.hasFocus() ? open.current : undefined;
      const written = news(queue).some(({ conversationId }) => conversationId !== looksAt);
      if (written && soundSetting.get()) ring();
    });
    return () => {
      unsubscribe();
      sound.stop();
    };
  }, [console]);
}
