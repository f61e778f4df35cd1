import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import type { LoadOlder } from '../../chat/model/loadOlder.ts';
import type { Api } from '../../net/api.ts';
import { messageInAddress, scrollToMessage } from '../../staff/messageInAddress.ts';
import { isFieldFocused } from '../keys/keyContext.ts';
import { openThread, type ThreadView } from './openThread.ts';

/** The part that the list shows: the end, or the message in the address. One component per conversation. */
export function useThread(
  conversation: LiveConversation,
  api: Api<'readMessages'>,
  /** When the newest pending image was sent. */
  sentImageAt = 0,
): Omit<ThreadView, 'at'> & {
  loadOlder: LoadOlder;
  onLooked: (seq: number) => void;
  goTo: (box: HTMLElement) => boolean;
} {
  const { search, key } = useLocation();
  const [thread] = useState(() =>
    openThread(conversation, pagesOf(conversation, api), messageInAddress(search)),
  );
  const { part, opening, at } = useSyncExternalStore(thread.subscribe, thread.view);
  useEffect(() => thread.follow(), [thread]);
  useEffect(() => thread.wrote(sentImageAt), [thread, sentImageAt]);

  // Following a link creates a new key, even for the same address. The first address was handled above.
  const place = `${key} ${search}`;
  const handledPlace = useRef(place);
  useEffect(() => {
    if (handledPlace.current === place) return;
    handledPlace.current = place;
    const seq = messageInAddress(search);
    if (seq !== undefined) void thread.goTo(seq);
  }, [thread, search, place]);

  const lastJump = useRef<ThreadView['at']>(undefined);
  const hadFocus = useRef(false);
  const goTo = useCallback(
    (box: HTMLElement) => {
      // The focused message may be removed from the window: focus the list instead.
      if (hadFocus.current && document.activeElement === document.body) box.focus({ preventScroll: true });
      hadFocus.current = box.contains(document.activeElement);
      if (!at || at === lastJump.current) return false;
      lastJump.current = at;
      const found = bringToMiddle(box, at.seq);
      hadFocus.current = box.contains(document.activeElement);
      return found;
    },
    [at],
  );

  return { part, opening, goTo, loadOlder: thread.loadOlder, onLooked: thread.looked };
}

/** Focus makes screen readers read the message and highlights it. It is not taken from a text field. */
function bringToMiddle(box: HTMLElement, seq: number): boolean {
  const message = scrollToMessage(box, seq);
  if (!message) return false;
  if (isFieldFocused()) return true;
  // Also for the second time.
  message.blur();
  message.focus({ preventScroll: true });
  return true;
}

function pagesOf(conversation: LiveConversation, api: Api<'readMessages'>): Parameters<typeof openThread>[1] {
  const { id } = conversation.state();
  return async (page) => {
    const query = 'before' in page ? { before: String(page.before) } : { after: String(page.after) };
    const read = await api('readMessages', { params: { id }, query });
    return read.ok ? read.answer.messages : null;
  };
}
