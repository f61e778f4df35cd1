import { searchFor, showIn } from '../queue/show.ts';

/** Where a chat is, with the queue's filter kept as it is; a message's number leads to that message. */
export function chatAddress(
  conversationId: string | undefined,
  search: string,
  message?: number,
): { pathname: string; search: string } {
  const query = new URLSearchParams(searchFor(showIn(search)));
  if (message !== undefined) query.set('message', String(message));
  return {
    pathname: conversationId === undefined ? '/' : `/conversation/${conversationId}`,
    search: query.toString(),
  };
}
