import { texts } from '@settee/protocol/texts/texts';
import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { aChat } from '../../../test/aDesk.ts';
import { addressOf, expectAddress, follow, queueRow } from '../../../test/byKeyboard.ts';
import { idOf } from '../../../test/idOf.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';

const guest = (number: number) => `Guest no. ${number}`;
const longChat = (number: number) =>
  aChat(
    guest(number),
    Array.from({ length: 60 }, (_, index) => ({ sender: 'owner' as const, text: `No. ${index + 1}.` })),
  );

afterEach(() => vi.unstubAllGlobals());

/** Opens the chat and waits until its last message is visible. */
async function open(number: number): Promise<void> {
  await queueRow(guest(number)).click();
  await expectOpen(number);
}

async function expectOpen(number: number): Promise<void> {
  await expect.element(page.getByRole('heading', { name: guest(number) })).toBeVisible();
  await expect.element(page.getByRole('log').getByText('No. 60.')).toBeInViewport();
}

test('a recent chat shows at once, also offline', async () => {
  // An idle browser would load the neighbours of an open chat.
  vi.stubGlobal('requestIdleCallback', () => 0);
  const { gateway } = await renderConsole({ chats: [1, 2, 3].map(longChat) });
  await open(1);
  await open(3);
  // The messages are there in the same render in which the address changes: nothing is loaded.
  const read = () => [...gateway.asked('readConversation'), ...gateway.asked('readMessages')];
  const before = read().length;
  gateway.drop();
  await open(1);
  expect(read()).toHaveLength(before);
  // A chat that was not opened before cannot be shown.
  await queueRow(guest(2)).click();
  await expectAddress(addressOf(guest(2)));
  await expect.element(page.getByRole('log').getByText('No. 60.')).not.toBeInTheDocument();
  gateway.restore();
  await expectOpen(2);
});

test('[H-08] a chat that moved to another desk, or never was at this one, is not found', async () => {
  const { gateway, chats } = await renderConsole({ chats: [1, 2].map(longChat) });
  await open(2);
  await open(1);
  // The queue and the cached chat each get a frame.
  const moved = idOf(guest(2));
  chats.splice(1, 1);
  gateway.push({ type: 'queueChange', rows: [], gone: [moved] });
  gateway.push({ type: 'gone', conversationId: moved });
  await expect.element(queueRow(guest(2))).not.toBeInTheDocument();
  for (const id of [moved, idOf('chat of another desk'), 'not-an-id']) {
    follow(`/handler/conversation/${id}`);
    await expectAddress('/handler');
    await expect.element(page.getByText(texts.conversationNotFound)).toBeVisible();
    await open(1);
    await expect.element(page.getByText(texts.conversationNotFound)).not.toBeInTheDocument();
  }
});
