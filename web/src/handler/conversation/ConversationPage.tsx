import { Uuid } from '@settee/protocol/model/ids';
import { texts } from '@settee/protocol/texts/texts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Navigate, useParams } from 'react-router';
import * as v from 'valibot';
import { useLiveConversation } from '../../chat/model/useLiveConversation.ts';
import { useConsole, useShownOrder, useSignedIn } from '../context.ts';
import { type Absence, absenceAfter } from './absence.ts';
import { ConversationPane } from './ConversationPane.tsx';

/** The socket is usually faster, so a call for every chat is not needed. */
const ASK_AFTER_MS = 500;

export function ConversationPage() {
  const { conversationId = '' } = useParams();
  usePreloadNeighbours(useShownOrder(), conversationId);
  if (!v.is(Uuid, conversationId)) return <NotFound />;
  return <ConversationVisits key={conversationId} id={conversationId} />;
}

/** A chat that was handed away and returned is opened again, because the old one received no updates. */
function ConversationVisits({ id }: { id: string }) {
  const [visit, setVisit] = useState(0);
  return <OpenConversation key={visit} id={id} onBack={() => setVisit(visit + 1)} />;
}

function OpenConversation({ id, onBack }: { id: string; onBack: () => void }) {
  const { console } = useSignedIn();
  // An open conversation is available in the first render.
  const [conversation] = useState(() => console.openConversation(id));
  const { loaded, gone } = useLiveConversation(conversation);
  const missing = useMissing(id, !loaded);
  useClearUnreadMark(id);
  useReturned(id, gone, onBack);
  // In the same render: text returned in between would miss the composer.
  useLayoutEffect(() => console.showConversation(conversation), [console, conversation]);

  if (missing) return <NotFound />;
  return <ConversationPane conversation={conversation} notFound={<NotFound />} />;
}

function useReturned(id: string, gone: boolean, onBack: () => void): void {
  const { queue } = useConsole();
  const absence = useRef<Absence>('here');
  // Search the queue only when needed.
  const queued = gone && queue?.some((row) => row.conversationId === id) === true;
  useEffect(() => {
    absence.current = absenceAfter(absence.current, { gone, queued });
    if (absence.current === 'back') onBack();
  });
}

/** A wrong address must be detected without a socket too. */
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

/** Opening a conversation clears its unread mark. A mark set while it is open stays. */
function useClearUnreadMark(id: string): void {
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

/** Fallback for browsers without requestIdleCallback. */
const IDLE_AFTER_MS = 200;

/** Opens the neighbouring conversations, so that the next one shows at once. */
function usePreloadNeighbours(order: readonly string[], openId: string | undefined): void {
  const { console } = useSignedIn();
  const place = openId === undefined ? -1 : order.indexOf(openId);
  const next = order[place + 1];
  const previous = order[place - 1];

  useEffect(
    () => whenIdle(() => console.preload([previous, next].filter((id) => id !== undefined))),
    [console, next, previous],
  );
}

function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, IDLE_AFTER_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work);
  return () => cancelIdleCallback(handle);
}
