import type { ClosedRow } from '@settee/protocol/model/conversation';
import { countQueue } from '@settee/protocol/model/queue';
import { defaultSettings } from '@settee/protocol/model/staffSettings';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { aChat, ana, type DeskChat } from '../../../test/aDesk.ts';
import { idOf } from '../../../test/chats.ts';
import { lost } from '../../../test/fakeGateway.ts';
import {
  addressOf,
  agedChat,
  composer,
  expectAddress,
  fromPalette,
  palette,
  press,
  queueRow,
  renderConsole,
} from '../../../test/renderConsole.tsx';
import { queueAfterClosing } from '../account/settings.ts';

const desks = [
  { alias: 'front-desk', off: false },
  { alias: 'press', off: false },
  { alias: 'tour', off: false },
];
const staff = { alias: 'front-desk', desks };
const answers = {
  readDesks: {
    desks: desks.map(({ alias }) => ({ alias, people: ['Ana Kovač'], online: true })),
    names: { 'front-desk': 'Front Desk', press: 'Press' },
  },
};

const names = () => [...document.querySelectorAll('li b')].map(({ textContent }) => textContent);
const deskMenu = page.getByRole('button', { name: /^Handler: / });

function at(desk: string, chat: DeskChat): DeskChat {
  chat.conversation.handlerAlias = desk;
  return chat;
}

const fourChats = () => [
  at('front-desk', agedChat('Jonas', 'May I read it to them?', 1)),
  at('press', agedChat('Adaeze', 'Is the date still on?', 2)),
  at('front-desk', agedChat('Sara', 'Merci', 3, { seen: true })),
  at('press', agedChat('Léa', 'Page 212', 60)),
];

const closed = (chat: DeskChat): ClosedRow => ({ ...chat.row, status: 'closed', closedAt: Date.now() });

test('the chats of all desks are one list, and each row names its desk', async () => {
  await renderConsole({ staff, answers, chats: fourChats() });
  await expect.poll(names).toEqual(['Jonas', 'Adaeze', 'Sara', 'Léa']);
  await expect.element(page.getByRole('heading', { name: 'My Queue (4)' })).toBeVisible();
  await expect.element(queueRow('Jonas.*Front Desk')).toBeVisible();
  await expect.element(queueRow('Léa.*Press')).toBeVisible();
  await expect.element(deskMenu).toHaveTextContent('Handler: all desks (3)');
});

test('one desk is shown by menu, palette or address; Back returns to all', async () => {
  await page.viewport(1_280, 800);
  await renderConsole({ staff, answers, chats: fourChats() });
  await deskMenu.click();
  await page.getByRole('menuitemradio', { name: /^Press.*1h.*2 open chats/ }).click();
  await expectAddress('/handler?desk=press');
  await expect.poll(names).toEqual(['Adaeze', 'Léa']);
  await expect.element(page.getByRole('heading', { name: 'My Queue (2)' })).toBeVisible();
  await expect.element(deskMenu).toHaveTextContent('Handler: Press');
  // The rows need not repeat it.
  await expect.element(queueRow('Léa.*Press')).not.toBeInTheDocument();

  await page.getByRole('button', { name: /^Unread/ }).click();
  await queueRow('Adaeze').click();
  await expectAddress(`/handler/conversation/${idOf('Adaeze')}?show=unread&desk=press`);
  await expect.element(page.getByText(/^Replying as/)).toBeVisible();
  // The next chat is of the same list.
  await press('Alt+ArrowDown');
  await expectAddress(`/handler/conversation/${idOf('Léa')}?show=unread&desk=press`);
  await fromPalette('only fr', 'Only Front Desk');
  await expect.poll(names).toEqual(['Jonas']);
  history.back();
  await expect.poll(names).toEqual(['Adaeze', 'Léa']);
  await fromPalette('all de', 'All desks');
  await expect.poll(names).toEqual(['Jonas', 'Adaeze', 'Léa']);
});

test('a desk in the address that is not among the own ones shows all', async () => {
  await renderConsole({ path: '/handler?desk=elsewhere', staff, answers, chats: fourChats() });
  await expect.poll(names).toEqual(['Jonas', 'Adaeze', 'Sara', 'Léa']);
});

test('a desk that is lost takes its chats along, and the others stay', async () => {
  await page.viewport(1_280, 800);
  const chats = fourChats();
  const { gateway, staff: me } = await renderConsole({ path: addressOf('Léa'), staff, answers, chats });
  await expect.element(page.getByText(/^Replying as/)).toBeVisible();
  await expect.element(page.getByRole('log').getByText('Page 212')).toBeVisible();
  me.desks = desks.filter(({ alias }) => alias !== 'press');
  chats.splice(0, 4, ...chats.filter(({ conversation }) => conversation.handlerAlias !== 'press'));
  gateway.close(1008, 'role changed');
  const notice = page.getByRole('status').filter({ hasText: consoleTexts.notYours });
  await expect.element(notice).toBeVisible();
  await expect.element(page.getByRole('log').getByText('Page 212')).toBeVisible();
  await expect.poll(names).toEqual(['Jonas', 'Sara']);
  await expect.element(deskMenu).toHaveTextContent('Handler: all desks (2)');
  await notice.getByRole('button', { name: 'Back to Queue' }).click();
  await expectAddress('/handler');
});

test('a person goes off duty at one desk, and hears nothing of it', async () => {
  await page.viewport(1_280, 800);
  const chats = fourChats();
  const { gateway } = await renderConsole({ staff, answers, chats });
  const me = page.getByRole('button', { name: /^You and your settings/ });
  await me.click();
  const press = page.getByRole('menuitemcheckbox', { name: 'Press' });
  await expect.element(press).toHaveAttribute('aria-checked', 'true');
  await press.click();
  await expect.element(press).toHaveAttribute('aria-checked', 'false');
  expect(gateway.asked('setDeskOff')).toMatchObject([{ params: { alias: 'press' }, body: { off: true } }]);
  // Only the desks on duty count in the title.
  await expect.poll(() => document.title).toMatch(/^\(1\) /);
  await expect.element(page.getByRole('link', { name: 'My Queue, 1 unread' })).toBeVisible();
  // Another window.
  gateway.push({ type: 'availability', away: false, desks });
  await expect.element(press).toHaveAttribute('aria-checked', 'true');
  await expect.poll(() => document.title).toMatch(/^\(3\) /);
  gateway.push({ type: 'availability', away: false, desks: desks.map((desk) => ({ ...desk, off: true })) });
  const online = page.getByRole('menuitemradio', { name: consoleTexts.online });
  await expect.element(online).toHaveAttribute('aria-checked', 'false');
  await online.click();
  await expect.poll(() => gateway.asked('setDeskOff').length).toBe(1 + desks.length);
  await expect.element(online).toHaveAttribute('aria-checked', 'true');
});

test('the merged list ends where the rows of a desk are not known yet, and is read on', async () => {
  const old = Array.from({ length: 250 }, (_, n) =>
    at('press', agedChat(`Press ${n}`, 'Hello', 10 + n, { seen: true })),
  );
  const older = at('tour', agedChat('Oldest', 'Hello', 1_000, { seen: true }));
  const { gateway } = await renderConsole({ staff, answers, chats: [...fourChats(), ...old, older] });
  await expect.element(page.getByRole('heading', { name: 'My Queue (255)' })).toBeVisible();
  const list = document.querySelector('ul')?.parentElement;
  await expect
    .poll(() => {
      list?.scrollTo(0, list.scrollHeight);
      return names().at(-1);
    })
    .toBe('Oldest');
  expect(gateway.received('queuePage')).toMatchObject([{ alias: 'press', show: 'all' }]);
});

test('a reconnect shows no visitor as away before the gateway has answered', async () => {
  const { gateway } = await renderConsole({ staff, answers, chats: fourChats() });
  const isHere = (name: string) => queueRow(name).getByText(consoleTexts.visitorHere);
  gateway.push({ type: 'visitors', alias: 'press', here: [idOf('Léa')], left: [] });
  await expect.element(isHere('Léa')).toBeInTheDocument();
  const { watchQueue } = gateway.onFrame;
  gateway.onFrame.watchQueue = (frame) => (watchQueue?.(frame) ?? []).filter(({ type }) => type === 'queue');
  const reads = gateway.received('watchQueue').length;
  gateway.close(1012);
  await expect.poll(() => gateway.received('watchQueue').length).toBeGreaterThan(reads);
  await expect.element(page.getByText(/^Connecting/)).not.toBeInTheDocument();
  await expect.element(isHere('Léa')).toBeInTheDocument();
  gateway.push({ type: 'visitors', alias: 'press', here: [idOf('Adaeze')], left: [] });
  await expect.element(isHere('Adaeze')).toBeInTheDocument();
  await expect.element(isHere('Léa')).not.toBeInTheDocument();
});

test('a desk that is gained or lost leaves the chats of the others in the list', async () => {
  const chats = fourChats();
  const one = { alias: 'front-desk', desks: undefined };
  const mine = () => chats.filter(({ conversation }) => conversation.handlerAlias === 'front-desk');
  const { gateway, staff: me } = await renderConsole({ staff: one, answers, chats: mine() });
  await expect.poll(names).toEqual(['Jonas', 'Sara']);
  gateway.answer('readQueue', () => lost);
  gateway.onFrame.watchQueue = () => [];
  const reconnect = async () => {
    const reads = gateway.received('watchQueue').length;
    gateway.close(1008, 'role changed');
    await expect.poll(() => gateway.received('watchQueue').length).toBeGreaterThan(reads);
  };

  me.desks = desks;
  await reconnect();
  await expect.element(deskMenu).toHaveTextContent('Handler: all desks (3)');
  await expect.poll(names).toEqual(['Jonas', 'Sara']);
  for (const { alias } of desks) {
    const rows = chats
      .filter(({ conversation }) => conversation.handlerAlias === alias)
      .map(({ row }) => row);
    gateway.push({ type: 'queue', alias, rows });
  }
  await expect.poll(names).toEqual(['Jonas', 'Adaeze', 'Sara', 'Léa']);

  me.desks = undefined;
  await reconnect();
  await expect.element(deskMenu).not.toBeInTheDocument();
  await expect.poll(names).toEqual(['Jonas', 'Sara']);
});

test('the closed chats of one desk are read for this desk alone', async () => {
  const [jonas, adaeze] = fourChats() as [DeskChat, DeskChat];
  const next = `1_${idOf('Jonas')}`;
  const { gateway } = await renderConsole({
    path: '/handler?show=closed&desk=press',
    staff,
    answers: {
      ...answers,
      readClosed: ({ query }) =>
        query.alias === 'press' ? { rows: [closed(adaeze)], next: null } : { rows: [closed(jonas)], next },
    },
    chats: [],
  });
  await expect.poll(names).toEqual(['Adaeze']);
  expect(gateway.asked('readClosed').map(({ query }) => query)).toEqual([{ alias: 'press' }]);
  await fromPalette('all de', 'All desks');
  await expect.poll(names).toEqual(['Jonas']);
});

test('the closed chats of another desk start at the top', async () => {
  const rows = Array.from({ length: 30 }, (_, n) => closed(agedChat(`Closed ${n}`, 'Bye', n)));
  await renderConsole({
    path: '/handler?show=closed',
    staff,
    answers: { ...answers, readClosed: { rows, next: null } },
    chats: [],
  });
  const list = () => document.querySelector('ul')?.parentElement;
  const scrollDown = () =>
    expect
      .poll(() => {
        list()?.scrollTo(0, list()?.scrollHeight ?? 0);
        return list()?.scrollTop;
      })
      .toBeGreaterThan(200);
  await scrollDown();
  await fromPalette('only press', 'Only Press');
  await expectAddress('/handler?show=closed&desk=press');
  await scrollDown();
  await fromPalette('all de', 'All desks');
  await expectAddress('/handler?show=closed');
  await expect.poll(() => list()?.scrollTop).toBe(0);
});

test('under all desks, nobody is sent to a chat of a desk where they are off duty', async () => {
  queueAfterClosing.set(false);
  onTestFinished(() => queueAfterClosing.set(true));
  const chats = [
    at('front-desk', agedChat('Jonas', 'Hello', 30)),
    at('front-desk', agedChat('Sara', 'Hello', 20)),
    at('press', agedChat('Léa', 'Hello', 60)),
  ];
  const off = desks.map((desk) => ({ ...desk, off: desk.alias === 'press' }));
  await renderConsole({ staff: { ...staff, desks: off }, answers, chats });
  const strip = page.getByRole('button', { name: /, \d+[mh]/ });
  await expect.element(strip).toHaveTextContent('Jonas, 30m· 1 more');
  await strip.click();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expectAddress(addressOf('Sara'));
  await fromPalette('only press', 'Only Press');
  await expect.element(strip).toHaveTextContent('Léa, 1h');
});

test('snoozing, and Undo of closing, stay at the chosen desk', async () => {
  const lea = `${addressOf('Léa')}?desk=press`;
  await renderConsole({ path: lea, staff, answers, chats: fourChats() });
  await expect.element(page.getByText(/^Replying as/)).toBeVisible();
  await fromPalette('snooze', consoleTexts.snooze);
  await page.getByRole('button', { name: new RegExp(`^${consoleTexts.snoozeHour}`) }).click();
  await expectAddress('/handler?desk=press');
  await queueRow('Léa').click();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expectAddress('/handler?desk=press');
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expectAddress(lea);
});

test('in the palette a visitor comes before the desk of the same name', async () => {
  const ben = { desks: answers.readDesks.desks, names: { press: 'Ben' } };
  const chats = [at('front-desk', agedChat('Ben', 'Hello', 1))];
  await renderConsole({ staff, answers: { readDesks: ben }, chats });
  await expect.element(queueRow('Ben')).toBeVisible();
  await press('Control+k');
  const chosen = page.getByRole('option', { selected: true });
  await palette.fill('ben');
  await expect.element(page.getByRole('option', { name: 'Only Ben' })).toBeVisible();
  await expect.element(chosen).not.toHaveTextContent('Only Ben');
  await palette.fill('only b');
  await expect.element(chosen).toHaveTextContent('Only Ben');
});

test('without a socket, a desk whose rows are not all known is still loading, and has no number', async () => {
  const session = Promise.withResolvers<void>();
  const chats = fourChats();
  const { gateway } = await renderConsole({
    path: '/handler?desk=press',
    atOnce: true,
    staff,
    answers: {
      ...answers,
      async refreshStaff() {
        await session.promise;
        return { staff: { ...ana, ...staff }, idToken: 'id-token', expiresAt: Date.now() + 3_600_000 };
      },
      readQueue: () => ({
        rows: chats.slice(0, 2).map((chat) => ({ ...chat.row, alias: chat.conversation.handlerAlias })),
        counts: countQueue(
          chats.map(({ row }) => row),
          Date.now(),
          defaultSettings,
        ),
      }),
    },
    chats,
  });
  gateway.onFrame.watchQueue = () => [];
  session.resolve();
  await expect.poll(() => gateway.asked('readQueue').length).toBe(1);
  await deskMenu.click();
  await expect.element(page.getByRole('menuitemradio', { name: /^Press$/ })).toBeVisible();
  await page.getByRole('menuitemradio', { name: /^All desks$/ }).click();
  await expect.poll(names).toEqual(['Jonas', 'Adaeze']);
  await deskMenu.click();
  await page.getByRole('menuitemradio', { name: /^Press$/ }).click();
  await expect.element(page.getByText(consoleTexts.queueLoading)).toBeVisible();
  expect(names()).toEqual([]);
});

test('who was given a desk no longer reads that they have none', async () => {
  const admin = { role: 'admin' as const, alias: null };
  const { gateway, staff: me } = await renderConsole({ staff: admin, chats: [] });
  const none = page.getByRole('heading', { name: consoleTexts.noDesk });
  await expect.element(none).toBeVisible();
  me.alias = 'front-desk';
  gateway.close(1008, 'role changed');
  await expect.element(none).not.toBeInTheDocument();
  await page.viewport(400, 800);
  await expect.element(page.getByRole('heading', { name: consoleTexts.queueEmptyTitle })).toBeVisible();
});

test('only where one can reply, the header says as which desk', async () => {
  const chats = fourChats();
  const [jonas] = chats as [DeskChat];
  const { gateway } = await renderConsole({ path: addressOf('Jonas'), staff, answers, chats });
  const replying = page.getByText(/^Replying as Front Desk/);
  await expect.element(replying).toBeVisible();
  const { conversation } = jonas;
  Object.assign(conversation, { rev: conversation.rev + 1, status: 'closed', canSend: false });
  gateway.push({ type: 'conversation', conversation });
  await expect.element(composer).not.toBeInTheDocument();
  await expect.element(replying).not.toBeInTheDocument();
});

/** Where a text begins on the line. */
function leftOf(text: string): number {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const at = node.textContent?.indexOf(text) ?? -1;
    if (at === -1 || !node.parentElement?.closest('[role="menu"] > p')) continue;
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + text.length);
    return range.getBoundingClientRect().left;
  }
  return Number.NaN;
}

test('desks whose names are written from right to left are listed in the direction of the page', async () => {
  const hebrew = { 'front-desk': 'דלפק', press: 'עיתונות', tour: 'סיור' };
  await renderConsole({ staff, answers: { readDesks: { ...answers.readDesks, names: hebrew } }, chats: [] });
  await page.getByRole('button', { name: /^You and your settings/ }).click();
  await expect
    .poll(() => {
      const [first, second, third] = Object.values(hebrew).map(leftOf) as [number, number, number];
      return first < second && second < third;
    })
    .toBe(true);
});

test('with one desk nothing mentions desks', async () => {
  await renderConsole({ chats: [aChat('Jonas')] });
  await expect.element(page.getByText('Handler: mara-east')).toBeVisible();
  await expect.element(deskMenu).not.toBeInTheDocument();
});
