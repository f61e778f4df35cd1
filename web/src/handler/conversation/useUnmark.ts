import { useEffect, useRef } from 'react';
import { useConsole, useSignedIn } from '../context.ts';

/** Who opens a conversation that was marked unread has taken it up again. A mark made while it is open stays. */
export function useUnmark(id: string): void {
  const { session } = useSignedIn();
  const { queue } = useConsole();
  const opened = useRef(false);
  useEffect(() => {
    const row = opened.current ? undefined : queue?.find(({ conversationId }) => conversationId === id);
    if (!row) return;
    opened.current = true;
    if (row.markedUnread) void session.api('markUnread', { params: { id }, body: { unread: false } });
  }, [session, queue, id]);
}
