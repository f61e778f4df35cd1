import { deleteValue, getValue, listKeys, putValue } from './keyValueStore.ts';

const KEY = 'chat_';

/*
 * Where a conversation's chat is. A push names only the conversation, and the server could not say more: of an
 * invite's token it knows a hash. So the visitor's page leaves its own address for the worker.
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

/** Some chat of this device, for a notification that is about none. */
export async function findAnyChat(): Promise<string | undefined> {
  const [first] = await listKeys(KEY);
  return first === undefined ? undefined : getValue(first);
}
