import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { filterInSearch, scopeInSearch, searchFor } from '../queue/queueFilter.ts';
import { chatElement, focusSoon, nothingFocused, queueElement, threadElement } from './focusTargets.ts';
import { isFieldFocused } from './keyContext.ts';

/** Navigates between chats and moves the focus. */
export function useChatNavigation(openId: string | undefined) {
  const navigate = useNavigate();
  const { search } = useLocation();
  /** Keys can be faster than rendering. */
  const heading = useRef(openId);
  const before = useRef<string | undefined>(undefined);
  const takesFocus = useRef(false);

  useEffect(() => {
    heading.current = openId;
    if (openId === before.current) return;
    const left = before.current;
    before.current = openId;
    // Focus the opened chat. For a link to a message, the thread focuses that message.
    const toMessage = new URLSearchParams(location.search).has('message');
    if (openId !== undefined && !toMessage) focusSoon(chatElement);
    else if (openId !== undefined && nothingFocused()) focusSoon(threadElement);
    // Also when the focused element was removed.
    else if (left !== undefined && (takesFocus.current || nothingFocused()))
      focusSoon(() => queueElement(left));
    takesFocus.current = false;
  }, [openId]);

  return {
    goTo(conversationId: string, message?: number) {
      const isOpen = conversationId === openId;
      heading.current = conversationId;
      if (message === undefined) {
        takesFocus.current = !isOpen;
        if (isOpen) return focusSoon(chatElement);
      }
      // The thread will focus the message, but not while a field has the focus.
      if (message !== undefined && isFieldFocused()) threadElement()?.focus({ preventScroll: true });
      // Back returns to the queue, not through all visited chats.
      const replace = openId !== undefined && message === undefined;
      // Rendered before the next key, which is for the new chat.
      void navigate(chatAddress(conversationId, search, message), { replace, flushSync: true });
    },
    goBack(): void {
      takesFocus.current = true;
      void navigate(chatAddress(undefined, search));
    },
    /** The open chat, or the one that is about to open. */
    targetId: () => heading.current,
  };
}

/** The address of a chat. Keeps the queue's filter. */
export function chatAddress(
  conversationId: string | undefined,
  search: string,
  message?: number,
): { pathname: string; search: string } {
  const query = new URLSearchParams(searchFor(filterInSearch(search), scopeInSearch(search)));
  if (message !== undefined) query.set('message', String(message));
  return {
    pathname: conversationId === undefined ? '/' : `/conversation/${conversationId}`,
    search: query.toString(),
  };
}
