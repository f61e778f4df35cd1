import type { Clock } from '../../net/clock.ts';

/** News of so long is told at once; the next is told no sooner after it. */
export const ANNOUNCE_INTERVAL_MS = 5_000;

type News = { messages: number; chats: number };
type NewsRow = { conversationId: string; unread: number };

/** Adds up what came, and tells it at most every few seconds. Null takes the words away, so that the same can come again. */
export function messageTally(clock: Clock, report: (news: News | null) => void) {
  /** Unread messages by chat when they were told last, and now. */
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
    add(rows: readonly NewsRow[]): void {
      for (const { conversationId, unread } of rows) fresh.set(conversationId, unread);
      if (fresh.size > 0 && timer === undefined) flush();
    },
    stop: () => clock.clearTimeout(timer),
  };
}
