import type { PushPayload } from '@settee/protocol/model/push';
import { isSafari } from '../push/isSafari.ts';
import { findChat, findSignedInStaff, findWorkerTexts } from '../push/workerStorage.ts';
import { noticeOf, readPayload } from './notice.ts';
import { type PushEvent, readWithTimeout, scope } from './scope.ts';
import { isChatVisible, isConversationVisible } from './windows.ts';

/** Shows a push notification, unless the conversation is visible. */
export async function showPushNotice(data: PushEvent['data']): Promise<void> {
  const payload = readPayload(data);
  const seen = payload !== undefined && (await isLookedAt(payload).catch(() => false));
  // Safari penalises every push without a notification. Other browsers do not if the page is visible.
  if (seen && !isSafari(navigator.userAgent)) return;
  const texts = await readWithTimeout(findWorkerTexts(payload?.to ?? 'visitor'));
  const { title, options } = noticeOf(payload, mayReply(), await signedIn(payload), texts);
  await scope.registration.showNotification(title, seen ? { ...options, silent: true } : options);
  if (seen && options.tag !== undefined) await closeShown(options.tag);
}

async function isLookedAt(payload: PushPayload): Promise<boolean> {
  if (payload.kind === 'test') return false;
  const { to, conversationId } = payload;
  if (to === 'staff') return isConversationVisible(conversationId);
  return isChatVisible(await readWithTimeout(findChat(conversationId)));
}

async function signedIn(payload: PushPayload | undefined): Promise<string | undefined> {
  return payload?.to === 'staff' ? readWithTimeout(findSignedInStaff()) : undefined;
}

async function closeShown(tag: string): Promise<void> {
  for (const notice of await scope.registration.getNotifications({ tag })) notice.close();
}

/** Whether this platform supports notification buttons. */
function mayReply(): boolean {
  return ((Notification as { maxActions?: number }).maxActions ?? 0) > 0;
}
