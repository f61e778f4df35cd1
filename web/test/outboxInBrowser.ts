import { indexedDbOutbox } from '../src/chat/outbox/indexedDbOutbox.ts';
import { outboxContract } from './outboxContract.ts';

/** Holds the browser's own outbox to one promise of the contract. */
export async function keeps(promise: string): Promise<void> {
  await outboxContract[promise]?.(indexedDbOutbox('visitor'));
}

/** What two tabs put, as a third one reads it. */
export async function keepsOrderAcrossTabs(): Promise<string[]> {
  const [one, other] = [indexedDbOutbox('visitor'), indexedDbOutbox('visitor')];
  const put = (id: string, tab = one) => tab.put({ id, conversationId: 'here', text: id, at: 0 });
  await put('z');
  await put('y', other);
  await put('x');
  return (await indexedDbOutbox('visitor').listAll()).map(({ id }) => id);
}
