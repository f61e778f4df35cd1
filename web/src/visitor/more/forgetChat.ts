import { dropUploads } from '../../chat/images/upload/sweepUploads.ts';
import { browserUnsent } from '../../chat/outbox/unsentStore.ts';
import { browserDevice, browserPushMemory } from '../../push/device.ts';
import { closeNotices } from '../../push/shownNotices.ts';
import { forgetChat as forgetAddress } from '../../push/workerStorage.ts';
import { LEFT, SEAT } from '../savedChat.ts';

/** Deletes the chats that the visitor has left, also those of a page that was closed before it had finished. */
export async function forgetLeftChats(): Promise<void> {
  for (const mark of Object.keys(localStorage).filter((key) => key.startsWith(LEFT))) {
    await forgetChat(mark.slice(LEFT.length), localStorage.getItem(mark) || null);
    localStorage.removeItem(mark);
  }
}

/** Deletes everything that this device stores about a chat. A failed step is logged, and the rest continues. */
async function forgetChat(token: string, conversationId: string | null): Promise<void> {
  const steps = conversationId === null ? [] : [forgetUnsent, forgetFiles, forgetNotices];
  await Promise.all(steps.map((step) => step(conversationId ?? '').catch(logged)));
  const mine = [token, conversationId].filter((name) => name !== null);
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(LEFT)) continue;
    if (mine.some((name) => key.endsWith(`_${name}`))) localStorage.removeItem(key);
  }
  await endPush().catch(logged);
}

async function forgetUnsent(conversationId: string): Promise<void> {
  const outbox = browserUnsent('visitor');
  for (const { id } of await outbox.list(conversationId)) await outbox.remove(id);
}

async function forgetFiles(conversationId: string): Promise<void> {
  await dropUploads('visitor', conversationId);
}

async function forgetNotices(conversationId: string): Promise<void> {
  await forgetAddress(conversationId);
  await closeNotices((about) => about.to === 'visitor' && about.conversationId === conversationId);
}

/**
 * A browser is one visitor in all its chats, so unsubscribe with the last one. The server has already removed its part.
 */
async function endPush(): Promise<void> {
  const others = Object.keys(localStorage).some((key) => key.startsWith(SEAT));
  if (others || browserPushMemory.read()?.side !== 'visitor') return;
  browserPushMemory.forget();
  await (await browserDevice.subscription())?.unsubscribe();
}

function logged(error: unknown): void {
  console.error('forget:', error);
}
