import type { Message } from '@settee/protocol/model/message';
import { afterEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { newConversation } from '../../chat/model/conversationState.ts';
import { useTabBadge } from './useReplyAlerts.ts';

const message = (seq: number): Message => ({
  conversationId: 'c',
  id: String(seq),
  seq,
  sender: 'owner',
  text: 'Hello.',
  createdAt: seq,
});

function Tab({ count }: { count: number }) {
  const messages = Array.from({ length: count }, (_, i) => message(i + 1));
  const state = { ...newConversation('c', 'visitor'), loaded: true, looked: 1, log: { messages, aside: [] } };
  useTabBadge({ name: 'Mara Lindqvist', state });
  return null;
}

function hide(hidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
  document.dispatchEvent(new Event('visibilitychange'));
}

afterEach(() => vi.restoreAllMocks());

test('title and icon show unread replies while the tab is in the background', async () => {
  const icon = document.createElement('link');
  icon.rel = 'icon';
  document.head.prepend(icon);
  const screen = await render(<Tab count={1} />);
  expect(document.title).toBe('Mara Lindqvist');
  hide(true);
  await screen.rerender(<Tab count={3} />);
  await expect.poll(() => document.title).toBe('(2) Mara Lindqvist');
  expect(icon.href).toContain('/favicon-unread.svg');
  hide(false);
  await expect.poll(() => document.title).toBe('Mara Lindqvist');
  expect(icon.href).toContain('/favicon.svg');
  icon.remove();
});
