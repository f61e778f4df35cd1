import { texts } from '@settee/protocol/texts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate, useParams } from 'react-router';
import type { LiveConversation } from '../../chat/liveConversation.ts';
import { useSignedIn } from '../context.ts';
import { ConversationPane } from './ConversationPane.tsx';

export function ConversationPage() {
  const { conversationId = '' } = useParams();
  const { session, console } = useSignedIn();
  const [conversation, setConversation] = useState<LiveConversation | null>(null);

  // Asked over HTTP as well: a wrong address must be answered even where no socket can be had.
  const read = useQuery({
    queryKey: ['conversation', conversationId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const answer = await session.api('readConversation', { params: { id: conversationId } });
      return { missing: !answer.ok && [400, 403, 404].includes(answer.status) };
    },
  });
  const missing = read.data?.missing === true;

  useEffect(() => {
    if (missing) return;
    const opened = console.openConversation(conversationId);
    setConversation(opened);
    return () => {
      setConversation(null);
      opened.stop();
    };
  }, [console, conversationId, missing]);

  if (missing) return <NotFound />;
  if (!conversation) return null;
  return <ConversationPane key={conversationId} conversation={conversation} notFound={<NotFound />} />;
}

function NotFound() {
  return <Navigate to="/" replace state={{ notice: texts.conversationNotFound }} />;
}
