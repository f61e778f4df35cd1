import type { QueueRow } from '@settee/protocol/model/conversation';
import { visitorLabel } from '@settee/protocol/model/visitor';
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { aChat, ana, type DeskChat } from '../../../test/aDesk.ts';
import { addMessage, idOf } from '../../../test/chats.ts';
import { lost } from '../../../test/fakeGateway.ts';
import {
  agedChat,
  composer,
  expectAddress,
  focus,
  press,
  queueRow,
  renderConsole,
} from '../../../test/renderConsole.tsx';

const MINUTE = 60_000;
const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
const textOf = (name: string) => row(name).query()?.textContent;

const names = () =>
  [...document.querySelectorAll('[role="listitem"] b, li b')].map(({ textContent }) => textContent);

const pill = (name: RegExp) =>
  page.getByRole('group', { name: 'Filter conversations' }).getByRole('button', { name });

const heading = page.getByRole('heading', { name: /^My Queue/ });

function chatWith(name: string, text: string, minutesAgo: number, different: Partial<QueueRow>): DeskChat {
  const createdAt = Date.now() - minutesAgo * MINUTE;
  const { unread = 0 } = different;
  return aChat(name, [{ sender: 'visitor', text, createdAt }], {
    conversation: { lastMessageAt: createdAt, unread, ownerSeen: unread > 0 ? 0 : 1 },
    row: { waitingSince: null, unread, ...different },
  });
}

function sixChats(): DeskChat[] {
  const waiting = (minutes: number) => ({ waitingSince: Date.now() - minutes * MINUTE });
  const media = chatWith('nobody', '[Media]', 18, { ...waiting(18), visitorName: '' });
  media.conversation.visitorName = '';
  return [
    chatWith('Jonas', 'May I read it to them?', 2, { unread: 1, ...waiting(2) }),
    chatWith('Adaeze', 'Is the date still on?', 6, { unread: 2, ...waiting(6) }),
    media,
    chatWith('Sara', 'شكرا', 41, { markedUnread: true }),
    chatWith('Tomás', 'See you at the book fair!', 125, { lastSender: 'owner', lastAuthor: 'Ana' }),
    chatWith('Léa', 'Merci', 60 * 25, waiting(60 * 25)),
  ];
}

test('rows show who waits, what is unread and a draft', async () => {
  const chats = sixChats();
  const first = await renderConsole({ chats });
  await expect.element(page.getByRole('heading', { name: 'My Queue (6)' })).toBeVisible();
  await expect
    .poll(names)
    .toEqual(['Jonas', 'Adaeze', expect.stringMatching(/^V-[0-9A-F]{8}$/), 'Sara', 'Tomás', 'Léa']);
  const shown: [name: string, text: string][] = [
    ['Jonas', '1 unread'],
    ['Adaeze', '2 unread'],
    ['Adaeze', 'Waiting 6m'],
    ['[Media]', 'Waiting 18m'],
    ['Sara', 'Marked unread'],
    ['Tomás', 'Ana: See you at the book fair!'],
    ['Tomás', '2h ago'],
    ['Léa', 'Waiting 1d'],
  ];
  for (const [name, text] of shown) expect(textOf(name)).toContain(text);
  // Less than five minutes.
  expect(textOf('Jonas')).not.toContain('Waiting');
  await expect.element(row('Tomás')).toHaveAttribute('aria-posinset', '5');
  await expect.element(row('Tomás')).toHaveAttribute('aria-setsize', '6');

  // The draft is kept and the row shows it. The open conversation has it in the composer instead.
  await queueRow('Tomás').click();
  await composer.fill('Until then');
  await expect.element(composer).toHaveValue('Until then');
  expect(textOf('Tomás')).not.toContain('Draft:');
  await page.getByRole('button', { name: 'Back to Queue' }).click();
  await expect.poll(() => textOf('Tomás')).toContain('Draft: Until then');
  await first.screen.unmount();
  await renderConsole({ chats });
  await expect.poll(() => textOf('Tomás')).toContain('Draft: Until then');
});

test('filters are part of the address, and a read chat stays until another one is opened', async () => {
  const chats = sixChats();
  const { screen, gateway } = await renderConsole({ chats });
  await expect.element(pill(/^All/)).toHaveAttribute('aria-pressed', 'true');
  await expect.element(pill(/^Waiting 3$/)).toBeVisible();
  await pill(/^Unread 3$/).click();
  await expectAddress('/handler?show=unread');
  await expect.poll(names).toEqual(['Jonas', 'Adaeze', 'Sara']);
  await expect.element(page.getByRole('heading', { name: 'My Queue (6)' })).toBeVisible();

  await queueRow('Adaeze').click();
  // The pointer leaves the list, so the order is not held.
  await heading.hover();
  await expect.poll(() => location.search).toBe('?show=unread');
  const adaeze = chats[1]?.row;
  if (!adaeze) throw new Error('no row');
  Object.assign(adaeze, { unread: 0, rev: 2 });
  gateway.push({ type: 'queueChange', rows: [adaeze], gone: [] });
  await expect.element(pill(/^Unread 2$/)).toBeVisible();
  await expect.poll(names).toEqual(['Jonas', 'Adaeze', 'Sara']);
  await page.getByRole('button', { name: 'Back to Queue' }).click();
  await expectAddress('/handler?show=unread');
  await expect.poll(names).toEqual(['Jonas', 'Sara']);
  history.back();
  await expect.poll(names).toEqual(['Jonas', 'Adaeze', 'Sara']);
  await screen.unmount();

  await renderConsole({ path: '/handler?show=waiting', chats });
  await expect.element(pill(/^Waiting/)).toHaveAttribute('aria-pressed', 'true');
  // The longest wait comes first.
  await expect.poll(names).toEqual(['Léa', expect.stringMatching(/^V-/), 'Adaeze']);
});

test('the strip names who has waited longest, and opens that chat with the focus in its composer', async () => {
  await page.viewport(1_280, 800);
  await renderConsole({ chats: sixChats() });
  const strip = page.getByRole('button', { name: /^Léa\s*, 1d\s*· 2 more$/ });
  await strip.click();
  await expectAddress(`/handler/conversation/${idOf('Léa')}`);
  await expect.element(composer).toHaveFocus();
  // The chat is open already.
  await strip.click();
  await expect.element(composer).toHaveFocus();
});

test('filters wrap instead of being cut', async () => {
  await page.viewport(1_280, 800);
  const snoozed = chatWith('Ben', 'Later', 9, { snoozedUntil: Date.now() + 99 * MINUTE });
  await renderConsole({ chats: [...sixChats(), snoozed] });
  await expect.element(pill(/^Snoozed 1$/)).toBeVisible();
  const group = page.getByRole('group', { name: 'Filter conversations' }).element();
  expect(group.scrollWidth).toBe(group.clientWidth);
  const boxOf = (element: Element) => element.getBoundingClientRect();
  const select = boxOf(page.getByRole('button', { name: 'Select chats' }).element());
  const closed = boxOf(pill(/^Closed$/).element());
  expect(closed.right <= select.left || closed.bottom <= select.top).toBe(true);
  for (const each of group.children) expect(boxOf(each).right).toBeLessThanOrEqual(boxOf(group).right);
});

test('a preview has the direction of its own text, and keeps its beginning', async () => {
  document.documentElement.dir = 'rtl';
  onTestFinished(() => document.documentElement.removeAttribute('dir'));
  const text = 'Do you have a newsletter? I ask for the whole reading circle, and for the harbour library.';
  await renderConsole({ chats: [chatWith('Rosa', text, 2, {}), chatWith('Sara', 'شكرا', 3, {})] });
  const preview = (words: string) =>
    [...document.querySelectorAll('li a [dir="auto"]')].find(({ textContent }) =>
      textContent.startsWith(words),
    );
  // All at once, because the list may draw its rows again.
  const look = () => {
    const [long, short] = [preview('Do you have'), preview('شكرا')];
    if (!long || !short) return undefined;
    const name = short.closest('a')?.querySelector('b');
    return {
      directions: [long, short].map((each) => getComputedStyle(each).direction),
      isCut: long.scrollWidth > long.clientWidth,
      fromName: short.getBoundingClientRect().right - (name?.getBoundingClientRect().right ?? 0),
    };
  };
  // What does not fit is at the end. A short text starts beside the picture, like the name.
  await expect.poll(look).toEqual({ directions: ['ltr', 'rtl'], isCut: true, fromName: 0 });
});

test('a row without a message is counted and has one line; it shows a colleague who is in the chat', async () => {
  const lea = aChat('Léa Moreau', [], { row: { lastMessageAt: Date.now() } });
  const { gateway } = await renderConsole({ chats: [lea] });
  await expect.element(page.getByRole('heading', { name: 'My Queue (1)' })).toBeVisible();
  const link = () => row('Léa Moreau').getByRole('link').element();
  const lines = () => link().lastElementChild?.children.length;
  expect(lines()).toBe(1);
  const ben = { conversationId: lea.conversation.id, staffId: idOf('Ben Ito'), name: 'Ben Ito' };
  await expect
    .poll(() => {
      // A report lasts only seconds.
      gateway.push({ type: 'colleague', ...ben, doing: 'replying' });
      return link().textContent;
    })
    .toContain('Ben Ito is replying');
  gateway.push({ type: 'colleague', ...ben, doing: 'left' });
  await expect.poll(lines).toBe(1);
});

test('Undo goes when a colleague reopens the chat, and stays at a late report of the old one', async () => {
  await page.viewport(1_280, 800);
  const lea = agedChat('Léa Moreau', 'Merci', 3);
  const { gateway } = await renderConsole({
    path: `/handler/conversation/${lea.conversation.id}`,
    chats: [lea],
    answers: { setStatus: { conversation: { ...lea.conversation, status: 'closed', rev: 2 } } },
  });
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  const undo = page.getByRole('button', { name: /^Undo/ });
  // With the focus, it does not end by itself.
  await focus(undo);
  gateway.push({ type: 'queueChange', rows: [lea.row], gone: [] });
  await expect.element(row('Léa Moreau')).toBeVisible();
  await expect.element(undo).toBeVisible();
  gateway.push({ type: 'queueChange', rows: [{ ...lea.row, rev: lea.row.rev + 2 }], gone: [] });
  await expect.element(undo).not.toBeInTheDocument();
});

test('filters without chats say so', async () => {
  await renderConsole({ chats: [agedChat('Ada', 'Bye', 3, { seen: true })] });
  await pill(/^Waiting$/).click();
  await expect.element(page.getByText('No one waiting')).toBeVisible();
  await pill(/^Unread$/).click();
  await expect.element(page.getByText('Nothing is unread.')).toBeVisible();
});

test('rows stay in place under the pointer and move when it leaves; the focus moves with its row', async () => {
  const chats = ['Jonas', 'Sara', 'Bea', 'Ada'].map((name, at) => agedChat(name, 'Hello', at + 1));
  const { gateway } = await renderConsole({ chats });
  await expect.poll(names).toEqual(['Jonas', 'Sara', 'Bea', 'Ada']);
  async function write(name: string, text: string): Promise<void> {
    const chat = chats.find(({ conversation }) => conversation.visitorName === name);
    if (!chat) throw new Error('no chat');
    const { createdAt, seq } = addMessage(chat, text);
    Object.assign(chat.row, { lastMessage: text, lastMessageAt: createdAt, head: seq });
    gateway.push({ type: 'queueChange', rows: [chat.row], gone: [] });
    await expect.poll(() => textOf(name)).toContain(text);
  }

  await row('Sara').hover();
  await write('Ada', 'Good evening');
  expect(names()).toEqual(['Jonas', 'Sara', 'Bea', 'Ada']);
  await heading.hover();
  await expect.poll(names).toEqual(['Ada', 'Jonas', 'Sara', 'Bea']);

  await row('Sara').hover();
  await write('Bea', 'And to you');
  expect(names()).toEqual(['Ada', 'Jonas', 'Sara', 'Bea']);
  // A key press means that the hand is not at the mouse.
  await press('Shift');
  await expect.poll(names).toEqual(['Bea', 'Ada', 'Jonas', 'Sara']);

  await heading.hover();
  await focus(queueRow('Ada'));
  await write('Ada', 'Are you there?');
  await expect.poll(names).toEqual(['Ada', 'Bea', 'Jonas', 'Sara']);
  await expect.element(queueRow('Ada')).toHaveFocus();
});

test('a long queue is walked by keyboard, and keeps its position when a phone returns to it', async () => {
  const chats = Array.from({ length: 300 }, (_, at) =>
    agedChat(`Visitor ${at + 1} `, 'Hello', at + 1, { seen: at % 3 !== 0 }),
  );
  await renderConsole({ chats });
  // Without the window's focus the browser reports no focus of a row.
  await heading.click();
  await focus(queueRow('Visitor 1 '));
  await userEvent.keyboard('{ArrowDown}'.repeat(39));
  const fortieth = queueRow('Visitor 40 ');
  await expect.element(fortieth).toHaveFocus();
  await expect.element(fortieth).toBeInViewport({ ratio: 1 });

  // The focused row is out of sight but still in the document, so the next key continues from it.
  const list = page.getByRole('region', { name: 'My Queue' }).getByRole('list').element().parentElement;
  // The list may still be scrolling to the row.
  await expect
    .poll(() => {
      list?.scrollTo(0, list.scrollHeight);
      return document.body.textContent.includes('Visitor 300');
    })
    .toBe(true);
  await expect.element(fortieth).toHaveFocus();
  await expect.element(fortieth).not.toBeInViewport();
  await press('ArrowDown');
  await expect.element(queueRow('Visitor 41 ')).toHaveFocus();

  await page.viewport(360, 740);
  const far = queueRow('Visitor 44 ');
  await far.click();
  await expect.element(composer).toBeVisible();
  await expect.element(far).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Back to Queue' }).click();
  await expect.element(far).toBeInViewport();
});

test('closed conversations that cannot be loaded show an error and can be retried', async () => {
  const { gateway } = await renderConsole({ chats: [], answers: { readClosed: () => lost } });
  const fail = gateway.hold('readClosed');
  await pill(/^Closed$/).click();
  await expectAddress('/handler?show=closed');
  await expect.element(page.getByText('Loading closed conversations...')).toBeVisible();
  fail();
  await expect.element(page.getByText('Couldn’t load closed conversations.')).toBeVisible();
  const asked = gateway.asked('readClosed').length;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => gateway.asked('readClosed').length).toBeGreaterThan(asked);
});

test('[H-01] an empty queue shows the handler and says that nothing is assigned', async () => {
  const { screen } = await renderConsole({ chats: [] });
  await expect.element(screen.getByText(`Handler: ${ana.alias}`)).toBeVisible();
  await expect
    .element(screen.getByText("You don't have any open conversations assigned to you."))
    .toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Sign Out' }).first()).toBeVisible();
});

test('[H-02] a row shows the name or a label, the last message, its age and whether the visitor is here', async () => {
  const { screen, gateway, chats } = await renderConsole({
    chats: [
      aChat('Léa Moreau', [], { row: { lastMessageAt: Date.now() } }),
      aChat('Guest', ['Is anybody there?'], {
        row: { visitorName: '', lastMessageAt: Date.now() - 210 * MINUTE },
      }),
    ],
  });
  gateway.push({ type: 'visitors', here: chats.map(({ conversation }) => conversation.id), left: [] });
  await expect.element(screen.getByRole('heading', { name: 'My Queue (2)' })).toBeVisible();
  const named = screen.getByRole('link', { name: /Léa Moreau/ });
  const unnamed = screen.getByRole('link', { name: new RegExp(visitorLabel(idOf('visitor Guest'))) });
  await expect.element(named.getByText('Just now')).toBeVisible();
  await expect.element(unnamed.getByText('Is anybody there?')).toBeVisible();
  await expect.element(unnamed.getByText('3h ago')).toBeVisible();
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.background = 'var(--online)';
  const green = getComputedStyle(probe).backgroundColor;
  probe.remove();
  for (const row of [named, unnamed]) {
    const dot = () => row.element().querySelector('[class*="dot"]') ?? document.body;
    await expect.poll(() => getComputedStyle(dot()).backgroundColor).toBe(green);
  }
});

test('[H-03] the queue shows that it loads', async () => {
  const session = Promise.withResolvers<void>();
  const queue = Promise.withResolvers<void>();
  const { screen, gateway } = await renderConsole({
    atOnce: true,
    answers: {
      async refreshStaff() {
        await session.promise;
        return { staff: ana, idToken: 'id-token', expiresAt: Date.now() + 60 * MINUTE };
      },
      async readQueue() {
        await queue.promise;
        return { rows: [] };
      },
    },
  });
  // The socket does not bring the queue either.
  gateway.onFrame.watchQueue = () => [];
  session.resolve();
  const loading = screen.getByText('Loading your queue...');
  await expect.element(loading).toBeVisible();
  queue.resolve();
  await expect.element(screen.getByText('No conversations')).toBeVisible();
  await expect.element(loading).not.toBeInTheDocument();
});
