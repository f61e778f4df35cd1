import { deleteValue, getValue, listKeys, putValue } from './keyValueStore.ts';

const KEY = 'chat_';

/*
 * The address of each conversation's chat. A push contains only the conversation's id: the server knows only the hash
 * of the invite's token. So the visitor's page stores its address for the worker.
 */

export function rememberChat(conversationId: string, path: string): Promise<void> {
  return putValue(KEY + conversationId, path.replace(/\/$/, ''));
}

export function forgetChat(conversationId: string): Promise<void> {
  return deleteValue(KEY + conversationId);
}

export function findChat(conversationId: string): Promise<string | undefined> {
  return getValue(KEY + conversationId);
}

/** Any chat of this device, for a notification without a conversation. */
export async function findAnyChat(): Promise<string | undefined> {
  const [first] = await listKeys(KEY);
  return first === undefined ? undefined : getValue(first);
}
