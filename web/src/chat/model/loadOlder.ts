import type { Api } from '../../net/api.ts';
import { shareInFlight } from '../../net/shareInFlight.ts';
import type { LiveConversation } from './liveConversation.ts';

/** Loads the page before the oldest message, one at a time. Resolves to whether anything was added. */
export type LoadOlder = () => Promise<boolean>;

export function olderLoader(api: Api<'readMessages'>, conversation: LiveConversation): LoadOlder {
  return shareInFlight(async () => {
    const { id, loaded, log } = conversation.state();
    const first = log.messages[0]?.seq ?? 0;
    if (!loaded || first <= 1) return false;
    const page = await api('readMessages', { params: { id }, query: { before: String(first) } });
    if (!page.ok) return false;
    conversation.addOlder(page.answer.messages);
    return page.answer.messages.length > 0;
  });
}
