import type { QueueRow } from '@settee/protocol/model/conversation';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { type Clock, systemClock } from '../../net/clock.ts';
import { chime } from '../../push/chime.ts';
import { mayNotify, showNotice } from '../../push/notices.ts';
import { softSound } from '../../push/softSound.ts';
import { useToasts } from '../../staff/toast/toasts.ts';
import { Hidden } from '../../ui/Hidden.tsx';
import { soundSetting } from '../account/settings.ts';
import { useConsole, useQueueCounts, useSignedIn } from '../context.ts';
import { queuesOnDuty } from '../queue/deskQueues.ts';
import { useOwnDesks } from '../queue/ownDesks.ts';
import type { KnownQueue } from '../queue/queuePages.ts';
import { onNewVisitorMessages } from './newVisitorMessages.ts';
import { useTitle } from './useTitle.ts';

/** Title, badges and sound for handlers who are not looking at the queue. */
export function useAlerts(openId: string | undefined): void {
  const { brand, profiles, queue } = useConsole();
  const { unread } = useQueueCounts(useOnDuty());
  useTitle(profiles.length > 0 ? '' : brand.displayName, unread);
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
  const desks = useOwnDesks();
  const noticeTitle = useEffectEvent((row: QueueRow) => {
    const desk = desks.find(({ alias }) => alias === row.alias);
    return [visitorNameOrLabel(row), ...(desk ? [desk.profile?.displayName ?? desk.name] : [])].join(' · ');
  });
  useEffect(
    () =>
      onNewVisitorMessages(desk, (rows) => {
        if (!mayNotify()) return;
        for (const row of rows) {
          const { conversationId } = row;
          const open = () => void navigate(`/conversation/${conversationId}`);
          void showNotice(noticeTitle(row), { to: 'staff', conversationId }, open).catch((error: unknown) =>
            console.error('notice:', error),
          );
        }
      }),
    [desk, navigate],
  );
}

/** The queues of the desks where this person is on duty. */
export function useOnDuty(): readonly KnownQueue[] {
  const { queues, desks } = useConsole();
  return useMemo(() => queuesOnDuty(queues, desks), [queues, desks]);
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

/** Announces messages in other chats to screen readers. The open chat announces its own. */
export function QueueAnnouncer({ openId }: { openId: string | undefined }) {
  const { console } = useSignedIn();
  const [text, setText] = useState('');
  const isElsewhere = useEffectEvent(({ conversationId }: QueueRow) => conversationId !== openId);

  useEffect(() => {
    const tally = messageTally(systemClock, (counts) =>
      setText(
        counts === null ? '' : fillText(consoleTexts.news, { count: counts.messages, chats: counts.chats }),
      ),
    );
    const stop = onNewVisitorMessages(console, (rows) => tally.add(rows.filter((row) => isElsewhere(row))));
    return () => {
      stop();
      tally.stop();
    };
  }, [console]);

  return (
    <Hidden>
      <span role="status">{text}</span>
    </Hidden>
  );
}

/** Minimum time between announcements. */
export const ANNOUNCE_INTERVAL_MS = 5_000;

type Counts = { messages: number; chats: number };
type TallyRow = { conversationId: string; unread: number };

/** Reports new messages every few seconds. Null clears the text, so that it can be announced again. */
export function messageTally(clock: Clock, report: (counts: Counts | null) => void) {
  /** Unread messages per chat at the last report, and now. */
  const reported = new Map<string, number>();
  const fresh = new Map<string, number>();
  let timer: unknown;

  function flush(): void {
    timer = undefined;
    if (fresh.size === 0) {
      report(null);
      return;
    }
    let messages = 0;
    for (const [id, unread] of fresh) {
      const before = reported.get(id) ?? 0;
      messages += Math.max(1, unread > before ? unread - before : unread);
      reported.set(id, unread);
    }
    report({ messages, chats: fresh.size });
    fresh.clear();
    timer = clock.setTimeout(flush, ANNOUNCE_INTERVAL_MS);
  }

  return {
    add(rows: readonly TallyRow[]): void {
      for (const { conversationId, unread } of rows) fresh.set(conversationId, unread);
      if (fresh.size > 0 && timer === undefined) flush();
    },
    stop: () => clock.clearTimeout(timer),
  };
}
