import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { mayNotify, showNotice } from '../../push/notices.ts';
import { useSignedIn } from '../context.ts';
import { onVisitorNews } from './onVisitorNews.ts';

/** While the tab is in the background, tells of visitors' messages at this desk: who wrote, never what. */
export function useQueueNotices(): void {
  const { console: desk } = useSignedIn();
  const navigate = useNavigate();
  useEffect(
    () =>
      onVisitorNews(desk, (rows) => {
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
