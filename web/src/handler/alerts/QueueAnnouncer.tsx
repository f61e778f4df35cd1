import type { QueueRow } from '@settee/protocol/model/conversation';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useEffect, useEffectEvent, useState } from 'react';
import { type Clock, systemClock } from '../../net/clock.ts';
import { Hidden } from '../../ui/Hidden.tsx';
import { useSignedIn } from '../context.ts';
import { onNewVisitorMessages } from './newVisitorMessages.ts';

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
