import { texts } from '@settee/protocol/texts/texts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { messages, Thread, threadOf } from '../../../test/aThread.tsx';
import { Announcer } from './Announcer.tsx';

const message = (seq: number, text: string) => ({
  id: String(seq),
  conversationId: '',
  seq,
  sender: 'owner' as const,
  text,
  createdAt: seq,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Every element that is added to a live region, as a screen reader announces it. */
function recorder(region: Element): string[] {
  const received: string[] = [];
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node.textContent) received.push(node.textContent);
    }
  }).observe(region, { childList: true, subtree: true, characterData: true });
  return received;
}

function region(): Element {
  const found = document.querySelector('[aria-live="polite"]');
  if (!found) throw new Error('there is no live region');
  return found;
}

test('[A11Y-01] every incoming message is announced once, also two equal ones, and never the history', async () => {
  const history = [message(1, 'Welcome.')];
  const screen = await render(<Announcer incoming={history} name="Mara" own={undefined} />);
  const received = recorder(region());
  const first = [...history, message(2, 'Yes.')];
  await screen.rerender(<Announcer incoming={first} name="Mara" own={undefined} />);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.poll(() => received).toEqual(['Mara: Yes.']);
  const second = [...first, message(3, 'Yes.')];
  await screen.rerender(<Announcer incoming={second} name="Mara" own={undefined} />);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.poll(() => received).toEqual(['Mara: Yes.', 'Mara: Yes.']);
});

test('[A11Y-01] the state of an own message is announced politely: merged within a second, nothing at the start', async () => {
  const own = (key: string, state: 'sending' | 'sent' | 'seen' | 'failed') => (
    <Announcer incoming={[]} name="Mara" own={{ key, state }} />
  );
  const screen = await render(own('a', 'seen'));
  const received = recorder(region());
  await vi.advanceTimersByTimeAsync(2_000);
  expect(received).toEqual([]);
  await screen.rerender(own('b', 'sending'));
  await screen.rerender(own('b', 'sent'));
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.poll(() => received).toEqual([texts.announceSent]);
  await screen.rerender(own('b', 'seen'));
  await vi.advanceTimersByTimeAsync(1_000);
  await screen.rerender(own('c', 'failed'));
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.poll(() => received).toEqual([texts.announceSent, texts.announceSeen, texts.announceFailed]);
});

test('[A11Y-01] the list announces incoming messages with the sender, never the history or own messages', async () => {
  const history = messages(['owner', 'old']);
  const screen = await render(<Thread state={threadOf(history)} />);
  await expect.element(screen.getByRole('log')).toHaveAttribute('aria-live', 'off');
  const received = recorder(region());
  const own = messages(['owner', 'old'], ['visitor', 'own words']);
  await screen.rerender(<Thread state={threadOf(own)} />);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.poll(() => received).toEqual([texts.announceSent]);
  const answered = messages(['owner', 'old'], ['visitor', 'own words'], ['owner', 'hello Lin']);
  await screen.rerender(<Thread state={threadOf(answered)} />);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.poll(() => received).toEqual([texts.announceSent, 'Mara: hello Lin']);
});
