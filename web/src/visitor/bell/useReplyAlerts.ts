import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { useSwitch } from '../../browser/storedSwitch.ts';
import type { ConversationState } from '../../chat/model/conversationState.ts';
import { countNew } from '../../chat/model/unread.ts';
import { systemClock } from '../../net/clock.ts';
import { chime } from '../../push/chime.ts';
import { mayNotify, showNotice } from '../../push/notices.ts';
import { soundSetting } from './soundSetting.ts';

export type Chat = {
  /** The profile's name. */
  name: string;
  state: Pick<ConversationState, 'id' | 'me' | 'loaded' | 'log' | 'gone' | 'looked' | 'view'>;
};

/** Shows a notice for replies that arrive while the tab is in the background. */
export function useBackgroundNotices(chat: Chat | undefined): void {
  useOnReply(chat, ({ name, state }) => {
    if (!mayNotify()) return;
    showNotice(name, { to: 'visitor', conversationId: state.id }).catch((error: unknown) =>
      console.error('notice:', error),
    );
  });
}

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

/** Calls back for replies that arrive after the conversation was loaded. */
function useOnReply(chat: Chat | undefined, onReply: (chat: Chat) => void): void {
  const known = useRef<number>(undefined);
  const newest = chat?.state.loaded ? newestReply(chat.state) : undefined;
  const report = useEffectEvent(() => chat && onReply(chat));
  useEffect(() => {
    if (newest === undefined) return;
    if (newest > (known.current ?? newest)) report();
    known.current = newest;
  }, [newest]);
}

function newestReply({ me, log }: Chat['state']): number {
  return log.messages.findLast((message) => message.sender !== me)?.seq ?? 0;
}
