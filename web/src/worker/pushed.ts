import type { PushPayload } from '@settee/protocol/push';
import { findChat } from '../push/chatAddress.ts';
import { noticeOf, readPayload } from './notice.ts';
import { type PushEvent, scope } from './scope.ts';
import { consolePath, isLookedAt } from './windows.ts';

/** Shows what was pushed, unless it happens before somebody's eyes: then they have it over the socket. */
export async function showPushed(data: PushEvent['data']): Promise<void> {
  const payload = readPayload(data);
  if (payload && (await isLookedAt(await pageOf(payload)))) return;
  const { title, options } = noticeOf(payload, mayReply());
  await scope.registration.showNotification(title, options);
}

async function pageOf(payload: PushPayload): Promise<string | undefined> {
  if (payload.kind === 'test') return undefined;
  const { to, conversationId } = payload;
  return to === 'staff' ? consolePath(conversationId) : findChat(conversationId).catch(() => undefined);
}

/** Whether this platform draws buttons in a notification at all. */
function mayReply(): boolean {
  return ((Notification as { maxActions?: number }).maxActions ?? 0) > 0;
}
