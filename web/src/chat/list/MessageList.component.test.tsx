import type { Message, Sender } from '@settee/protocol/model/message';
import { texts } from '@settee/protocol/texts/texts';
import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { type ConversationState, newConversation } from '../model/conversationState.ts';
import { MessageList } from './MessageList.tsx';

// Midnight must not come between the data and the screen.
vi.setSystemTime(new Date(2026, 10, 16, 15));

const MINUTE = 60_000;
const noon = new Date().setHours(12, 0, 0, 0);

function messages(...all: [sender: Sender, text: string, at?: number][]): Message[] {
  return all.map(([sender, text, at = noon], i) => ({
    conversationId: 'c',
    id: `m${i}`,
    seq: i + 1,
    sender,
    text,
    createdAt: at,
  }));
}

function stateOf(log: Message[], more: Partial<ConversationState> = {}): ConversationState {
  return {
    ...newConversation('c', 'visitor'),
    loaded: true,
    head: log.length,
    looked: log.length,
    log: { messages: log, aside: [] },
    ...more,
  };
}

function List({ state }: { state: ConversationState }) {
  const nothing = () => {};
  return (
    <div style={{ display: 'flex', height: 400 }}>
      <MessageList
        state={state}
        name="Mara"
        empty={null}
        onRetry={nothing}
        onDrop={nothing}
        onLooked={nothing}
        loadOlder={async () => false}
      />
    </div>
  );
}

test('[A11Y-03] every message is an article named after its sender; a group contains it as text; Copy is named after its message', async () => {
  const log = messages(
    ['owner', 'Hello.'],
    ['owner', 'Welcome.', noon + 1],
    ['visitor', 'Thank you.', noon + MINUTE],
  );
  const screen = await render(<List state={stateOf(log)} />);
  const articles = screen.getByRole('article').elements();
  expect(articles.map((one) => one.getAttribute('aria-label'))).toEqual([
    'Mara, 12:00',
    'Mara, 12:00',
    `${texts.you}, 12:01`,
  ]);
  expect(articles.map((one) => /^(Mara|You): /.exec(one.textContent)?.[0])).toEqual([
    'Mara: ',
    undefined,
    'You: ',
  ]);
  for (const text of ['Hello.', 'Welcome.', 'Thank you.']) {
    await expect.element(screen.getByRole('button', { name: `Copy: ${text}` })).toBeInTheDocument();
  }
});

test('[LOOK-02] right-to-left text keeps the corners on the side of its sender', async () => {
  const log = messages(['visitor', 'مرحبا بك'], ['visitor', 'كيف حالك؟', noon + 1]);
  const screen = await render(<List state={stateOf(log)} />);
  const corners = screen
    .getByRole('article')
    .elements()
    .map((one) => one.querySelector('p'))
    .map((bubble) => bubble && getComputedStyle(bubble))
    .map((style) => [style?.borderBottomRightRadius, style?.borderBottomLeftRadius]);
  expect(corners[0]).toEqual(['6px', '20px']);
  const words = screen.getByText('مرحبا بك').element();
  expect(getComputedStyle(words).direction).toBe('rtl');
});

test("[LOOK-03] the day is above 'New' when both start with the same message", async () => {
  const log = messages(['visitor', 'Hi.', noon - 48 * 60 * MINUTE], ['owner', 'Hello.']);
  const screen = await render(<List state={stateOf(log, { looked: 1 })} />);
  const day = screen.getByText(texts.today).element();
  const divider = screen.getByText(texts.newDivider).element();
  expect(day.compareDocumentPosition(divider)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('[LOOK-04] a scroll event after the content grew does not stop following; scrolling up does', async () => {
  const many = Array.from({ length: 20 }, (_, i): [Sender, string] => ['visitor', `Message ${i}`]);
  const screen = await render(<List state={stateOf(messages(...many))} />);
  const log = screen.getByRole('log').element();
  const left = () => log.scrollHeight - log.scrollTop - log.clientHeight;
  await expect.poll(left).toBe(0);
  // A late scroll event: the content has grown and the list has not scrolled yet.
  const grown = document.createElement('div');
  grown.style.cssText = 'flex: none; height: 300px';
  log.firstElementChild?.append(grown);
  expect(left()).toBeGreaterThan(100);
  log.dispatchEvent(new Event('scroll', { bubbles: true }));
  await expect.poll(left).toBe(0);
  grown.remove();
  await expect.poll(left).toBe(0);

  const moved = new Promise((done) => log.addEventListener('scroll', done, { once: true }));
  log.scrollTop -= 250;
  await moved;
  await screen.rerender(<List state={stateOf(messages(...many, ['owner', 'One more']))} />);
  expect(left()).toBeGreaterThan(250);
});
