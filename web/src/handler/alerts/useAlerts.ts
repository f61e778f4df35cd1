import type { QueueRow } from '@settee/protocol/model/conversation';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { systemClock } from '../../net/clock.ts';
import { chime } from '../../push/chime.ts';
import { mayNotify, showNotice } from '../../push/notices.ts';
import { softSound } from '../../push/softSound.ts';
import { useToasts } from '../../staff/toast/toasts.ts';
import { soundSetting } from '../account/settings.ts';
import { useConsole, useQueueCounts, useSignedIn } from '../context.ts';
import { onNewVisitorMessages } from './newVisitorMessages.ts';
import { useTitle } from './useTitle.ts';

/** Title, badges and sound for handlers who are not looking at the queue. */
export function useAlerts(openId: string | undefined): void {
  const { brand, queue } = useConsole();
  const { unread } = useQueueCounts();
  useTitle(brand.displayName, unread);
  useAppBadge(queue ? unread : undefined);
  useIconBadge(unread > 0);
  useSound(openId);
}

/** The count on an installed app's icon. Unchanged until the count is known. */
function useAppBadge(count: number | undefined): void {
  useEffect(() => {
    if (count === undefined || !('setAppBadge' in navigator)) return;
    const reported = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge();
    // Not installed or not allowed.
    reported.catch(() => {});
  }, [count]);

  useEffect(() => {
    if (!('clearAppBadge' in navigator)) return;
    return () => void navigator.clearAppBadge().catch(() => {});
  }, []);
}

/** A dot on the tab icon while something is unread. */
function useIconBadge(unread: boolean): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!unread || !link) return;
    const { href } = link;
    link.href = '/favicon-unread.svg';
    return () => {
      link.href = href;
    };
  }, [unread]);
}

/** Plays a sound when a visitor writes, except in the visible conversation. */
function useSound(openId: string | undefined): void {
  const { console } = useSignedIn();
  const isElsewhere = useEffectEvent((rows: readonly QueueRow[]) => {
    const visible = document.hasFocus() ? openId : undefined;
    return rows.some(({ conversationId }) => conversationId !== visible);
  });

  useEffect(() => {
    const sound = softSound();
    const ring = chime(systemClock, sound.play);
    const unsubscribe = onNewVisitorMessages(console, (rows) => {
      if (isElsewhere(rows) && soundSetting.get()) ring();
    });
    return () => {
      unsubscribe();
      sound.stop();
    };
  }, [console]);
}

/** Shows notices while the tab is in the background: who wrote, never what. */
export function useQueueNotices(): void {
  const { console: desk } = useSignedIn();
  const navigate = useNavigate();
  useEffect(
    () =>
      onNewVisitorMessages(desk, (rows) => {
        if (!mayNotify()) return;
        for (const row of rows) {
          const { conversationId } = row;
          const open = () => void navigate(`/conversation/${conversationId}`);
          void showNotice(visitorNameOrLabel(row), { to: 'staff', conversationId }, open).catch(
            (error: unknown) => console.error('notice:', error),
          );
        }
      }),
    [desk, navigate],
  );
}

/** Reports on any page that a reply was not sent, because its chat may belong to another desk now. */
export function useUnsentToast(): void {
  const { console } = useSignedIn();
  const toasts = useToasts();
  useEffect(
    () => console.onLeftUnsent(() => toasts.show({ text: consoleTexts.leftUnsent })),
    [console, toasts],
  );
}
