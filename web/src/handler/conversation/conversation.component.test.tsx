import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { aChat, type DeskChat } from '../../../test/aDesk.ts';
import { holdDisk } from '../../../test/browser.ts';
import { idOf } from '../../../test/chats.ts';
import { type Answers, Refused } from '../../../test/fakeGateway.ts';
import {
  addressOf,
  composer,
  expectAddress,
  follow,
  fromPalette,
  press,
  queueRow,
  renderConsole,
} from '../../../test/renderConsole.tsx';

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

test('a bubble that wrapped in a narrow window takes one line in a wide one', async () => {
  const text = 'Thank you. That is all I wanted to know.';
  const words = () => page.getByRole('log').getByText(text).element();
  await renderConsole({ chats: [aChat('Jonas Weber', [text])] });
  await queueRow('Jonas Weber').click();
  for (const width of [390, 1280]) {
    await page.viewport(width, 700);
    await expect.poll(() => words().clientHeight < 40).toBe(width === 1280);
  }
});

test('[H-05] [H-06] an empty conversation says so, and its composer sends on Enter', async () => {
  await page.viewport(1_440, 900);
  const { screen, gateway } = await renderConsole({ chats: [aChat('Léa Moreau', [])] });
  await screen.getByRole('link', { name: /Léa Moreau/ }).click();
  await expect.poll(() => location.pathname).toBe(`/handler/conversation/${idOf('Léa Moreau')}`);
  await expect.element(screen.getByText('No messages yet')).toBeVisible();
  await expect.element(screen.getByText('Start the conversation by sending a message.')).toBeVisible();
  await expect
    .element(screen.getByText('Press Enter to send, Shift+Enter for new line').first())
    .toBeVisible();
  const field = screen.getByRole('textbox', { name: consoleTexts.staffPlaceholder });
  // Who else replies is said above it, where one looks.
  const ben = { conversationId: idOf('Léa Moreau'), staffId: idOf('Ben Ito'), name: 'Ben Ito' };
  const notice = screen.getByRole('status').getByText('Ben Ito is replying');
  let said: DOMRect | undefined;
  await expect
    .poll(() => {
      // A report lasts only seconds.
      gateway.push({ type: 'colleague', ...ben, doing: 'replying' });
      said = notice.query()?.getBoundingClientRect();
      return said;
    })
    .toBeDefined();
  const [log, below] = [screen.getByRole('log'), field].map((each) => each.element().getBoundingClientRect());
  expect(said?.bottom).toBeLessThanOrEqual(below?.top ?? 0);
  expect(said?.left).toBeLessThan(log?.right ?? 0);
  await field.fill('Hello');
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}');
  await expect.element(field).toHaveValue('Hello\n');
  const disk = holdDisk();
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('button', { name: 'Sending...' })).toBeVisible();
  disk.release();
  await expect.element(screen.getByRole('button', { name: 'Send', exact: true })).toBeVisible();
  await expect.element(field).toHaveValue('');
  await expect.poll(() => gateway.received('send').map(({ text }) => text)).toEqual(['Hello']);
});

test('a revoked invite ends the reply: the reason and Close replace the composer, and nothing claims to be sent', async () => {
  const jonas = aChat('Jonas Weber', ['Who are you?']);
  const { screen, gateway } = await renderConsole({ path: addressOf('Jonas Weber'), chats: [jonas] });
  const { send } = gateway.onFrame;
  gateway.onFrame.send = () => [];
  await composer.fill('Too late');
  await press('Enter');
  await expect.poll(() => gateway.received('send')).toHaveLength(1);
  await composer.fill('And a draft');
  const { conversation, row } = jonas;
  Object.assign(conversation, { rev: conversation.rev + 1, noAccess: 'revoked', canSend: false });
  Object.assign(row, { rev: conversation.rev, noAccess: 'revoked', waitingSince: null });
  gateway.push({ type: 'conversation', conversation });
  gateway.push({ type: 'queueChange', rows: [row], gone: [] });
  for (const sent of gateway.received('send')) for (const frame of send?.(sent) ?? []) gateway.push(frame);
  const reason = screen.getByRole('status').filter({ hasText: consoleTexts.accessRevoked });
  await expect.element(reason).toBeVisible();
  await expect.element(queueRow('Jonas Weber').getByText('No access')).toBeVisible();
  await expect.element(composer).not.toBeInTheDocument();
  // What was written stays, and nobody seems to be there.
  await expect.element(screen.getByText('And a draft')).toBeVisible();
  gateway.push({ type: 'typing', conversationId: conversation.id, sender: 'visitor' });
  gateway.push({ type: 'visitors', here: [conversation.id], left: [] });
  await expect.element(page.getByRole('log').getByText('Too late')).toBeVisible();
  expect(screen.getByText(/\((on|off)line\)|is typing/).elements()).toEqual([]);
  await expect.poll(() => page.getByRole('log').getByText(texts.sending).elements()).toEqual([]);
  await expect.element(page.getByRole('log').getByText('Sent')).not.toBeInTheDocument();

  await reason.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => conversation.status).toBe('closed');
});

test('while every device is removed, a handler can still write to a visitor who may come back', async () => {
  const chats = [aChat('Jonas Weber', ['Who are you?'], { conversation: { noAccess: 'removed' } })];
  await renderConsole({ path: addressOf('Jonas Weber'), chats });
  await expect.element(page.getByText(consoleTexts.accessRemoved)).toBeVisible();
  await expect.element(composer).toBeVisible();
});

test('[CONSOLE-33] Undo after a colleague’s block lifts no block, and says so; Unblock on a page that shows it does', async () => {
  const petra = aChat('Petra');
  const { conversation } = petra;
  const answers: Answers = {
    // As the server does: nothing changes if the caller saw another status.
    setStatus({ body: { status, from = conversation.status } }) {
      if (from !== conversation.status)
        return new Refused('conversation_closed', { error: consoleTexts.statusMoved });
      Object.assign(conversation, { status, rev: conversation.rev + 1 });
      return { conversation };
    },
  };
  const desk = { path: addressOf('Petra'), chats: [petra], answers };
  const { screen, gateway } = await renderConsole(desk);
  const button = (name: string) => screen.getByRole('button', { name, exact: true });
  await button('Close').click();
  await expect.element(screen.getByText('Closed the chat with Petra.')).toBeVisible();
  conversation.status = 'blocked';
  await screen.getByRole('button', { name: /^Undo/ }).click();
  await expect.element(screen.getByText(consoleTexts.statusMoved)).toBeVisible();
  expect(gateway.asked('setStatus').at(-1)?.body).toEqual({ status: 'open', from: 'closed' });
  expect(location.pathname).toBe('/handler');

  await screen.unmount();
  const { screen: page } = await renderConsole(desk);
  const unblock = page.getByRole('button', { name: 'Unblock', exact: true });
  await expect.element(unblock).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Close', exact: true })).not.toBeInTheDocument();
  await unblock.click();
  await expect.poll(() => conversation.status).toBe('open');
});

describe('a long thread', () => {
  const log = page.getByRole('log');

  const bubble = (seq: number) => expect.poll(() => document.querySelector(`[data-seq="${seq}"]`));

  const pxFromEnd = () => {
    const { scrollHeight, scrollTop, clientHeight } = log.element();
    return scrollHeight - scrollTop - clientHeight;
  };

  /** Message n starts with `No. n.`; lengths vary. Two of five are from the desk, until the unseen ones at the end. */
  function longChat(name: string, count: number, unseen = 0): DeskChat {
    const lines = Array.from({ length: count }, (_, index) => {
      const seq = index + 1;
      const sender = seq % 5 < 2 && seq <= count - unseen ? ('owner' as const) : ('visitor' as const);
      return { sender, text: `No. ${seq}.${' And so the evening went on.'.repeat(seq % 7)}` };
    });
    return aChat(name, lines, { conversation: { ownerSeen: count - unseen, unread: unseen } });
  }

  test('a link opens a message in the middle of the list, at any distance and repeatedly', async () => {
    const chat = longChat('Guest', 1_000, 400);
    const address = addressOf('Guest');
    const { gateway } = await renderConsole({ path: `${address}?message=500`, chats: [chat] });
    await bubble(500).toHaveFocus();
    const middle = (element: Element | null) => {
      const { top = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
      return top + height / 2;
    };
    await expect
      .poll(() => Math.abs(middle(document.querySelector('[data-seq="500"]')) - middle(log.element())))
      .toBeLessThan(2);
    expect(gateway.asked('readMessages')).toHaveLength(2);
    // Messages from 601 on are new and have not been visible.
    expect(chat.conversation.ownerSeen).toBe(600);

    follow(`${address}?message=20`);
    await bubble(20).toHaveFocus();
    await bubble(20).toBeInViewport();
    follow(`${address}?message=none`);
    await bubble(20).toBeInViewport();

    // The pill and sending a message jump to the end at once. The focus was in the list and stays there.
    const pill = page.getByRole('button', { name: /new messages/ });
    await expect.element(pill).toBeVisible();
    (pill.element() as HTMLElement).click();
    await bubble(1_000).toBeInViewport();
    await expect.element(log).toHaveFocus();
    await expect.poll(pxFromEnd).toBeLessThan(1);
    await expect.poll(() => chat.conversation.ownerSeen).toBe(1_000);
    follow(`${address}?message=200`);
    await bubble(200).toHaveFocus();
    await expect.element(page.getByRole('button', { name: texts.toNewest })).toBeVisible();
    await composer.fill('Here I am.');
    await press('Enter');
    await expect.element(log.getByText('Here I am.')).toBeInViewport();
    await expect.poll(pxFromEnd).toBeLessThan(1);
    await expect.element(log.getByText('Sent')).toBeVisible();
  });

  test('a link to an unknown message opens the conversation at the first new message', async () => {
    const chats = [longChat('Guest', 1_000, 400)];
    await renderConsole({ path: `${addressOf('Guest')}?message=5000000`, chats });
    await expect.element(log.getByText('New', { exact: true })).toBeInViewport();
    await bubble(601).toBeInViewport();
  });
});

test("a conversation's header shows whether the visitor has a page open", async () => {
  const jonas = aChat('Jonas Weber');
  const { id } = jonas.conversation;
  const { screen, gateway } = await renderConsole({ path: addressOf('Jonas Weber'), chats: [jonas] });
  // The heading contains only the name, because it labels the whole section.
  const pane = screen.getByRole('region', { name: 'Jonas Weber', exact: true });
  await expect.element(pane.getByText('(offline)')).toBeInTheDocument();
  gateway.push({ type: 'visitors', here: [id], left: [] });
  await expect.element(pane.getByText('(online)')).toBeInTheDocument();
  gateway.push({ type: 'visitors', here: [], left: [id] });
  await expect.element(pane.getByText('(offline)')).toBeInTheDocument();
  gateway.drop();
  await expect.element(pane.getByText('(offline)')).not.toBeInTheDocument();
});

test('the hand-over calls desks by their names, and focuses the first one once they have loaded', async () => {
  const readDesks = {
    desks: [{ alias: 'mara-tour', people: ['Theo Marchand'], online: true }],
    names: { 'mara-tour': 'Front Desk' },
  };
  const answers = { readDesks, transfer: {} };
  const { screen, gateway } = await renderConsole({ path: addressOf('Jonas Weber'), answers });
  await expect.element(composer).toHaveFocus();
  await fromPalette('hand', 'Hand over');
  const desk = screen.getByRole('radio', { name: /^Front Desk/ });
  await expect.element(desk).toHaveFocus();
  await expect.element(desk).not.toBeChecked();
  await press(' ');
  await screen.getByRole('dialog').getByRole('button', { name: 'Hand over' }).click();
  await expect.element(screen.getByText('Handed over to Front Desk.')).toBeVisible();
  expect(gateway.asked('transfer')[0]?.body.alias).toBe('mara-tour');
});

test('an administrator without a desk reads so, with a link to all conversations', async () => {
  const { screen } = await renderConsole({ staff: { role: 'admin', alias: null }, chats: [] });
  await expect.element(screen.getByRole('heading', { name: 'You have no desk' })).toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: 'All conversations' }))
    .toHaveAttribute('href', '/admin/conversations');
});

test('a block has five durations, chosen by pointer or arrow keys', async () => {
  const { screen, gateway } = await renderConsole({ path: addressOf('Jonas Weber') });
  await screen.getByRole('button', { name: 'Block', exact: true }).click();
  const dialog = screen.getByRole('dialog', { name: 'Block Jonas Weber?' });
  const radio = (name: string) => dialog.getByRole('radio', { name });
  await expect.element(radio('Until unblocked')).toBeChecked();
  expect(dialog.getByRole('radio').elements()).toHaveLength(5);
  await radio('1 day').click();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(radio('7 days')).toBeChecked();
  await dialog.getByRole('button', { name: 'Block', exact: true }).click();
  await expect.poll(() => gateway.asked('setStatus').at(-1)?.body).toMatchObject({ hours: 7 * 24 });
});

test('a handler removes a device from the details, after a question', async () => {
  const jonas = aChat('Jonas Weber');
  let devices = [5, 16].map((minute) => ({
    id: idOf(`device ${minute}`),
    browser: 'Chrome on Android',
    joinedAt: new Date(new Date().getFullYear(), 10, 16, 9, minute).getTime(),
    current: false,
    first: minute === 5,
  }));
  const { screen, gateway } = await renderConsole({
    path: addressOf('Jonas Weber'),
    chats: [jonas],
    answers: {
      readDevices: () => ({ devices }),
      removeDevice({ params }) {
        devices = devices.filter((device) => device.id !== params.deviceId);
        return {};
      },
    },
  });
  const details = screen.getByRole('complementary', { name: 'Details' });
  await details.getByText('Devices', { exact: true }).last().click();
  // Devices with one name differ by the time when they joined.
  const ask = details.getByRole('button', { name: 'Remove Chrome on Android, joined 16 Nov, 09:16' });
  await ask.click();
  // A second press at the same place, or Enter, removes nothing.
  await expect.element(details.getByRole('button', { name: 'Keep' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(ask).toHaveFocus();
  expect(gateway.asked('removeDevice')).toEqual([]);
  await ask.click();
  await details.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.element(ask).not.toBeInTheDocument();
  expect(gateway.asked('removeDevice')).toMatchObject([{ params: { deviceId: idOf('device 16') } }]);
});
