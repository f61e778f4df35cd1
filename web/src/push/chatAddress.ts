import { find, findKeys, forget, keep } from './kept.ts';

const KEY = 'chat_';

/*
 * Where a conversation's chat is. A push names only the conversation, and the server could not say more: of an
 * invite's token it knows a hash. So the visitor's page leaves its own address for the worker.
 */

export function rememberChat(conversationId: string, path: string): Promise<void> {
  return keep(KEY + conversationId, path.replace(/\/$/, ''));
}

export function forgetChat(conversationId: string): Promise<void> {
  return forget(KEY + conversationId);
}

export function findChat(conversationId: string): Promise<string | undefined> {
  return find(KEY + conversationId);
}

/** Some chat of this device, for a notification that is about none. */
export async function findAnyChat(): Promise<string | undefined> {
  const [first] = await findKeys(KEY);
  return first === undefined ? undefined : find(first);
}
