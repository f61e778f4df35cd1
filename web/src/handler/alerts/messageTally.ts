import type { Clock } from '../../net/clock.ts';

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
