import { expect, test } from 'vitest';
import type { Upload } from '../../chat/images/upload/upload.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import { whenUploadsSettle } from './whenStored.ts';

function setUp(...states: Upload['state'][]) {
  let uploads = states.map((state) => ({ state }) as Upload);
  const listeners = new Set<() => void>();
  const leaving = new AbortController();
  const images = {
    uploads: () => uploads,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    brought: whenUploadsSettle(images, {} as LiveConversation, leaving.signal),
    leaving,
    listeners,
    become(...next: Upload['state'][]) {
      uploads = next.map((state) => ({ state }) as Upload);
      for (const listener of [...listeners]) listener();
    },
  };
}

test('[CONSOLE-49] without uploads there is nothing to wait for', async () => {
  expect(await setUp().brought).toBe(true);
});

test('[CONSOLE-49] waits until the last upload has become a message', async () => {
  const { brought, become, listeners } = setUp('uploading', 'uploading');
  become('checking');
  become();
  expect(await brought).toBe(true);
  expect(listeners.size).toBe(0);
});

test('[CONSOLE-49] a failed upload, or a sender who left, ends the wait', async () => {
  const failed = setUp('uploading', 'uploading');
  failed.become('uploading', 'failed');
  expect(await failed.brought).toBe(false);
  const left = setUp('uploading');
  left.leaving.abort();
  expect(await left.brought).toBe(false);
  expect(left.listeners.size).toBe(0);
});
