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

/** The socket answers sooner, as a rule; a call for each chat that is opened would only be in its way. */
const ASK_AFTER_MS = 500;

export function ConversationPage() {
  const { conversationId = '' } = useParams();
  usePreloadNeighbours(useShownOrder(), conversationId);
  if (!v.is(Uuid, conversationId)) return <NotFound />;
  return <ConversationVisits key={conversationId} id={conversationId} />;
}

/** One that was handed away and given back is opened anew: the old one heard that it is gone, and nothing since. */
function ConversationVisits({ id }: { id: string }) {
  const [visit, setVisit] = useState(0);
  return <OpenConversation key={visit} id={id} onBack={() => setVisit(visit + 1)} />;
}

function OpenConversation({ id, onBack }: { id: string; onBack: () => void }) {
  const { console } = useSignedIn();
  // One that is kept is there in this very drawing.
  const [conversation] = useState(() => console.openConversation(id));
  const { loaded, gone } = useLiveConversation(conversation);
  const missing = useMissing(id, !loaded);
  useClearUnreadMark(id);
  useReturned(id, gone, onBack);
  // With the drawing itself: words that are handed back in between would go past the composer.
  useLayoutEffect(() => console.showConversation(conversation), [console, conversation]);

  if (missing) return <NotFound />;
  return <ConversationPane conversation={conversation} notFound={<NotFound />} />;
}

function useReturned(id: string, gone: boolean, onBack: () => void): void {
  const { queue } = useConsole();
  const absence = useRef<Absence>('here');
  // Only looked for in the queue once it matters.
  const queued = gone && queue?.some((row) => row.conversationId === id) === true;
  useEffect(() => {
    absence.current = absenceAfter(absence.current, { gone, queued });
    if (absence.current === 'back') onBack();
  });
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

/** Who opens a conversation that was marked unread has taken it up again. A mark made while it is open stays. */
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

/** Where the browser cannot tell when it is idle, this long after the last change is taken for it. */
const IDLE_AFTER_MS = 200;

/** Opens the conversations before and after the one on show, so that the next step is there at once. */
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
