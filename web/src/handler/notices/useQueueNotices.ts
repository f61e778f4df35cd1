import type { QueueRow } from '@settee/protocol/conversation';
import { visitorNameOrLabel } from '@settee/protocol/visitor';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { mayNotify, showNotice } from '../../push/notices.ts';
import { useConsole } from '../context.ts';
import { newFromVisitors } from './newFromVisitors.ts';

/** While the tab is in the background, tells of visitors' messages at this desk: who wrote, never what. */
export function useQueueNotices(): void {
  const { queue } = useConsole();
  const navigate = useNavigate();
  const known = useRef<readonly QueueRow[] | null>(null);
  useEffect(() => {
    const before = known.current;
    known.current = queue;
    if (!before || !queue || !mayNotify()) return;
    for (const row of newFromVisitors(before, queue)) {
      const open = () => void navigate(`/conversation/${row.conversationId}`);
      void showNotice(visitorNameOrLabel(row), row.conversationId, open).catch((error: unknown) =>
        console.error('notice:', error),
      );
    }
  }, [queue, navigate]);
}
