import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { filterInSearch, searchFor } from '../queue/queueFilter.ts';
import { chatElement, focusSoon, nothingFocused, queueElement, threadElement } from './focusTargets.ts';
import { isFieldFocused } from './keyContext.ts';

export type ChatNavigation = {
  goTo(conversationId: string, message?: number): void;
  /** To the queue. */
  goBack(): void;
  /** The chat that is open, or about to be. */
  targetId(): string | undefined;
};

/** Moves between chats, and the focus with it. */
export function useChatNavigation(openId: string | undefined): ChatNavigation {
  const navigate = useNavigate();
  const { search } = useLocation();
  /** Keys can be faster than the page. */
  const heading = useRef(openId);
  const before = useRef<string | undefined>(undefined);
  const takesFocus = useRef(false);

  useEffect(() => {
    heading.current = openId;
    if (openId === before.current) return;
    const left = before.current;
    before.current = openId;
    // However it was opened, the next letter is meant for it.
    // A link to a message gives that message the focus, so that a reader says it.
    const toMessage = new URLSearchParams(location.search).has('message');
    if (openId !== undefined && !toMessage) focusSoon(chatElement);
    else if (openId !== undefined && nothingFocused()) focusSoon(threadElement);
    // Also when what had the focus went away with the page before.
    else if (left !== undefined && (takesFocus.current || nothingFocused()))
      focusSoon(() => queueElement(left));
    takesFocus.current = false;
  }, [openId]);

  return {
    goTo(conversationId, message) {
      const isOpen = conversationId === openId;
      heading.current = conversationId;
      if (message === undefined) {
        takesFocus.current = !isOpen;
        if (isOpen) return focusSoon(chatElement);
      }
      // To a message, the thread leads the focus itself, but takes it from no field: that is left now.
      if (message !== undefined && isFieldFocused()) threadElement()?.focus({ preventScroll: true });
      // Back leads to the queue, not through all that was walked past.
      const replace = openId !== undefined && message === undefined;
      // Drawn before the next key is heard: that one is meant for the chat to come.
      void navigate(chatAddress(conversationId, search, message), { replace, flushSync: true });
    },
    goBack() {
      takesFocus.current = true;
      void navigate(chatAddress(undefined, search));
    },
    targetId: () => heading.current,
  };
}

/** Where a chat is, with the queue's filter kept as it is; a message's number leads to that message. */
export function chatAddress(
  conversationId: string | undefined,
  search: string,
  message?: number,
): { pathname: string; search: string } {
  const query = new URLSearchParams(searchFor(filterInSearch(search)));
  if (message !== undefined) query.set('message', String(message));
  return {
    pathname: conversationId === undefined ? '/' : `/conversation/${conversationId}`,
    search: query.toString(),
  };
}
