import type { Api } from '../net/api.ts';
import type { LiveConversation } from './liveConversation.ts';

/** Returns a function that brings the page before the oldest message shown, one at a time. */
export function olderLoader(api: Api<'readMessages'>, conversation: LiveConversation): () => Promise<void> {
  let loading = false;
  return async () => {
    const { id, loaded, log } = conversation.state();
    const first = log.messages[0]?.seq ?? 0;
    if (loading || !loaded || first <= 1) return;
    loading = true;
    const page = await api('readMessages', { params: { id }, query: { before: String(first) } });
    loading = false;
    if (page.ok) conversation.addOlder(page.answer.messages);
  };
}
