import { Uuid } from '@settee/protocol/ids';
import { texts } from '@settee/protocol/texts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate, useParams } from 'react-router';
import * as v from 'valibot';
import { useLiveConversation } from '../../chat/useLiveConversation.ts';
import { useSignedIn } from '../context.ts';
import { useShownOrder } from '../queue/shownOrder.ts';
import { useWarmNeighbours } from '../useWarmNeighbours.ts';
import { ConversationPane } from './ConversationPane.tsx';
import { useUnmark } from './useUnmark.ts';

/** The socket answers sooner, as a rule; a call for each chat that is opened would only be in its way. */
const ASK_AFTER_MS = 500;

export function ConversationPage() {
  const { conversationId = '' } = useParams();
  useWarmNeighbours(useShownOrder(), conversationId);
  if (!v.is(Uuid, conversationId)) return <NotFound />;
  return <OpenConversation key={conversationId} id={conversationId} />;
}

function OpenConversation({ id }: { id: string }) {
  const { console } = useSignedIn();
  // One that is kept is there in this very drawing.
  const [conversation] = useState(() => console.openConversation(id));
  const { loaded } = useLiveConversation(conversation);
  const missing = useMissing(id, !loaded);
  useUnmark(id);
  useEffect(() => console.showConversation(conversation), [console, conversation]);

  if (missing) return <NotFound />;
  return <ConversationPane conversation={conversation} notFound={<NotFound />} />;
}

/** Asked over HTTP as well, for where no socket can be had: a wrong address must be answered there too. */
function useMissing(id: string, unanswered: boolean): boolean {
  const { session } = useSignedIn();
  const [ask, setAsk] = useState(false);
  useEffect(() => {
    if (!unanswered) return;
    const timer = setTimeout(() => setAsk(true), ASK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [unanswered]);
  const read = useQuery({
    queryKey: ['conversation', id],
    enabled: ask && unanswered,
    queryFn: async () => {
      const answer = await session.api('readConversation', { params: { id } });
      return { missing: !answer.ok && [400, 403, 404].includes(answer.status) };
    },
  });
  return unanswered && read.data?.missing === true;
}

function NotFound() {
  return <Navigate to="/" replace state={{ notice: texts.conversationNotFound }} />;
}
