import type { Sender } from '@settee/protocol/model/message';
import { afterEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { aConversation } from '../../../test/aConversation.ts';
import { messages, Thread, threadOf } from '../../../test/aThread.tsx';

afterEach(() => void vi.restoreAllMocks());

/** Test browsers never hide a tab. */
function become(state: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}

test("returning to the tab shows 'New' above the messages that came meanwhile, and only then marks them as seen", async () => {
  const onLooked = vi.fn();
  const one = messages(['owner', 'before']);
  const view = aConversation('c', { visitorSeen: 1 });
  const screen = await render(<Thread state={threadOf(one, { view })} onLooked={onLooked} />);
  const line = screen.getByText('New', { exact: true });
  await expect.element(screen.getByText('before')).toBeVisible();
  become('hidden');
  onLooked.mockClear();
  const two = messages(['owner', 'before'], ['owner', 'meanwhile']);
  await screen.rerender(<Thread state={threadOf(two, { view, looked: 1 })} onLooked={onLooked} />);
  await expect.element(screen.getByText('meanwhile')).toBeVisible();
  await expect.element(line).not.toBeInTheDocument();
  expect(onLooked).not.toHaveBeenCalled();
  become('visible');
  await expect.element(line).toBeVisible();
  expect(
    line.element().compareDocumentPosition(screen.getByText('meanwhile').element()) &
      Node.DOCUMENT_POSITION_FOLLOWING,
  ).toBeTruthy();
  expect(onLooked).toHaveBeenCalledWith(2);
  // The line stays although everything is read now.
  await screen.rerender(<Thread state={threadOf(two, { view, looked: 2 })} onLooked={onLooked} />);
  await expect.element(line).toBeVisible();
});

test('the chat opens even when older pages cannot be loaded', async () => {
  const sixty = messages(
    ...Array.from({ length: 60 }, (_, i): [Sender, string] => ['owner', `news ${i + 1}`]),
  );
  const loadOlder = vi.fn(async () => false);
  const state = threadOf(sixty.slice(10), { view: aConversation('c', { head: 60 }), looked: 0 });
  const screen = await render(<Thread state={state} loadOlder={loadOlder} />);
  await expect.element(screen.getByText('New', { exact: true })).toBeInViewport();
  await expect.element(screen.getByText('news 11', { exact: true })).toBeInViewport();
  await expect.element(screen.getByText('news 60', { exact: true })).not.toBeInViewport();
  expect(loadOlder).toHaveBeenCalled();
});
