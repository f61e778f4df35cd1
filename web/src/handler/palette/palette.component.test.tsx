import type { FoundConversation, FoundMessage } from '@settee/protocol/model/search';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { idOf } from '../../../test/chats.ts';
import { lost } from '../../../test/fakeGateway.ts';
import {
  addressOf,
  agedChat,
  composer,
  expectAddress,
  palette,
  press,
  queueRow,
  renderConsole,
  typeText,
} from '../../../test/renderConsole.tsx';

/** The palette's own script loads after this. */
const script = vi.hoisted(() => ({ arrival: Promise.resolve() }));

vi.mock('./Palette.tsx', async (importOriginal) => {
  await script.arrival;
  return importOriginal();
});

const options = page.getByRole('option');
const group = (name: string) => page.getByRole('group', { name }).getByRole('option');

const textsOf = (name: string) =>
  group(name)
    .elements()
    .map(({ textContent }) => textContent);

const marks = () =>
  [...document.querySelectorAll('[role="option"] mark')].map(({ textContent }) => textContent);

test('the palette opens at once: text typed next goes into it and does nothing else', async () => {
  const arrival = Promise.withResolvers<void>();
  script.arrival = arrival.promise;
  const chats = [agedChat('Jonas Weber', 'Hello', 1), agedChat('Elena', 'Hello', 2)];
  await renderConsole({ path: addressOf('Jonas Weber'), chats });
  await expect.element(composer).toHaveFocus();
  await press('Control+k');
  await typeText('ele');
  await expect.element(page.getByPlaceholder(consoleTexts.palettePlaceholder)).toHaveValue('ele');
  await expect.element(palette).not.toBeInTheDocument();
  arrival.resolve();
  await expect.element(palette).toHaveValue('ele');
  await typeText('na');
  await expect.element(palette).toHaveValue('elena');
  await expect.poll(() => textsOf('Chats')).toEqual([expect.stringContaining('Elena')]);
  await press('Enter');
  await expectAddress(addressOf('Elena'));
  await expect.element(composer).toHaveFocus();
  await expect.element(composer).toHaveValue('');
});

test('the palette lists every available action with its key, and picking it does what the key does', async () => {
  await renderConsole({ path: addressOf('Jonas Weber') });
  await expect.element(composer).toHaveFocus();
  await press('Control+k');
  await expect.element(palette).toHaveFocus();
  const actions = ['Next chatAlt↓', 'Previous chatAlt↑', 'Write a noteCtrlI', 'Close chatCtrlE'];
  const others = ['Keyboard shortcutsCtrl/', 'Block visitor', 'Hand over', 'Saved replies', 'Sign Out'];
  for (const name of [...actions, ...others])
    expect(textsOf('Actions')).toContainEqual(expect.stringContaining(name));
  await expect.element(palette).toHaveAttribute('aria-activedescendant', expect.stringMatching(/.+/));
  await press('ArrowUp');
  await expect.element(options.last()).toHaveAttribute('aria-selected', 'true');
  await press('ArrowDown');
  await expect.element(options.first()).toHaveAttribute('aria-selected', 'true');
  await typeText('repl');
  await expect.element(options.first()).toHaveTextContent('Reply');
  await palette.fill('write a note');
  await press('Enter');
  await expect.element(page.getByPlaceholder(consoleTexts.notePlaceholder)).toHaveFocus();
  await press('Control+i');
  await expect.element(composer).toHaveFocus();
  await expect.element(composer).toHaveValue('');
});

const common = (name: string, status: 'open' | 'closed') => ({
  conversationId: idOf(name),
  visitorId: idOf(`visitor ${name}`),
  visitorName: name,
  status,
});

const foundChat = (name: string): FoundConversation => ({
  ...common(name, 'closed'),
  inviteLabel: '',
  lastMessageAt: Date.now() - 90 * 60_000,
});

const foundMessage = (name: string, text: string): FoundMessage => ({
  ...common(name, 'open'),
  seq: 1,
  sender: 'visitor',
  author: null,
  text,
  createdAt: Date.now() - 60_000,
});

/** What the server finds. */
const hits: Record<string, { conversations?: FoundConversation[]; messages?: FoundMessage[] }> = {
  tomas: { conversations: [foundChat('Tomás Herrera')] },
  strasse: { messages: [foundMessage('Léa Moreau', 'Straße und Leuchtturm')] },
  leuchtturm: { messages: [foundMessage('Léa Moreau', 'Straße und Leuchtturm')] },
  lighth: {
    messages: [
      foundMessage('Jonas Weber', 'Does the Lighthouse keeper know?'),
      foundMessage('Tomás Herrera', 'Thank you for the lighthouse'),
    ],
  },
};

const answerTo = (q: string) => ({ conversations: [], messages: [], complete: true, ...hits[q] });

async function openPalette() {
  const chats = [
    agedChat('Jonas Weber', 'Does the Lighthouse keeper know?', 1),
    agedChat('Léa Moreau', 'Straße und Leuchtturm', 5),
  ];
  const opened = await renderConsole({ chats, answers: { search: ({ query }) => answerTo(query.q) } });
  await expect.element(queueRow('Jonas')).toBeVisible();
  await press('Control+k');
  await expect.element(palette).toHaveFocus();
  return opened;
}

test('[CONSOLE-46] chats and messages are found, marked and opened in place', async () => {
  await openPalette();
  // Names from the queue appear at once; names of closed chats come from the server.
  await typeText('LEA mor');
  await expect.poll(() => textsOf('Chats')).toEqual([expect.stringContaining('Léa Moreau')]);
  await palette.fill('tomas');
  await expect.poll(() => textsOf('Chats')).toEqual([expect.stringMatching(/Tomás Herrera.*Closed/)]);
  await palette.fill('lighth');
  await expect.poll(marks).toEqual(['Lighth', 'lighth']);
  expect(textsOf('Messages')).toHaveLength(2);
  await palette.fill('zebra');
  await expect.element(page.getByText('No matches')).toBeVisible();
  await palette.fill('strasse');
  await expect.poll(marks).toEqual(['Straße']);
  expect(textsOf('Messages')).toEqual([expect.stringContaining('Léa Moreau')]);
  await press('Enter');
  await expectAddress(`${addressOf('Léa Moreau')}?message=1`);
  await expect.element(page.getByRole('log').getByText('Straße und Leuchtturm')).toBeInViewport();
  await expect.poll(() => document.activeElement?.getAttribute('data-seq')).toBe('1');
});

test('[CONSOLE-46] a late answer is discarded, and a failed search says so', async () => {
  const { gateway } = await openPalette();
  const late = Promise.withResolvers<void>();
  let lateAnswered = false;
  gateway.answer('search', async ({ query }) => {
    if (query.q === 'lighth') {
      await late.promise;
      lateAnswered = true;
    }
    return answerTo(query.q);
  });
  await palette.fill('lighth');
  await expect.element(page.getByText('Searching...')).toBeVisible();
  await expect.poll(() => gateway.asked('search')).toHaveLength(1);
  await palette.fill('leuchtturm');
  await expect.poll(marks).toEqual(['Leuchtturm']);
  late.resolve();
  await expect.poll(() => lateAnswered).toBe(true);
  // A key press takes longer than handling the answer.
  await press('ArrowDown');
  expect(marks()).toEqual(['Leuchtturm']);
  gateway.answer('search', () => lost);
  await palette.fill('paragraph');
  await expect.element(page.getByText('Couldn’t search.')).toBeVisible();
});
