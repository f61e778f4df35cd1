import { type Browser, expect, type Page } from '@playwright/test';
import { createHandler, createInvites, type Handler } from '../product/accounts.ts';
import { outlastsTest } from '../product/contexts.ts';
import { inDatabase, makeThread, type Written, writeHistory } from '../product/database.ts';
import { claimInvite, newPerson, openConversation, signIn } from '../product/people.ts';

const INVITES_AT_ONCE = 20;

/** A desk with invites. Its handler stays signed in, so that the profile is online. */
export type Desk = { handler: Handler; invite(): string };

export async function openDesk(browser: Browser, baseURL: string): Promise<Desk> {
  const handler = createHandler();
  const context = await browser.newContext({ baseURL });
  outlastsTest(context);
  const page = await context.newPage();
  await signIn(page, handler);
  // The landing page reads only once whether anyone is online.
  await expect.poll(() => isOnline(handler)).toBe(true);
  const ready: string[] = [];
  return {
    handler,
    invite() {
      if (ready.length === 0) ready.push(...createInvites(handler.alias, INVITES_AT_ONCE));
      return ready.pop() ?? '';
    },
  };
}

async function isOnline({ alias }: Handler): Promise<boolean> {
  const { rowCount } = await inDatabase('select from presence where alias = $1 and expires_at > now()', [
    alias,
  ]);
  return rowCount !== 0;
}

export type Stage = { page: Page; browser: Browser; desk: Desk };

/** Brings the page into the state. */
type Reach = (stage: Stage) => Promise<unknown>;

export type State = {
  /** Also the start of the file names of its screenshots. */
  name: string;
  reach: Reach;
  /** For a state that depends on the width: restores it after a change of width. */
  again?: (page: Page) => Promise<unknown>;
};

/** States by their names. */
export function states(byName: Record<string, Reach | Omit<State, 'name'>>): State[] {
  return Object.entries(byName).map(([name, state]) =>
    typeof state === 'function' ? { name, reach: state } : { name, ...state },
  );
}

/** Opens a chat that already contains these messages. */
export async function openChat(
  { page, desk }: Stage,
  messages: Written[],
  unseenBy: { visitor?: number; owner?: number } = {},
): Promise<string> {
  const invite = desk.invite();
  await claimInvite(page, invite, 'Jonas Weber');
  await writeHistory(invite, messages, unseenBy);
  await page.goto(invite);
  return invite;
}

/** An invite that another visitor has already claimed. */
export async function takenInvite({ browser, desk }: Stage) {
  const invite = desk.invite();
  const { page: other } = await newPerson(browser);
  const { continueCode } = await claimInvite(other, invite, 'Jonas Weber');
  return { invite, other, continueCode };
}

/** Opens the console of a new desk at its only conversation. */
export async function openThread(page: Page, messages = conversation()): Promise<string> {
  const handler = createHandler();
  const id = await makeThread(handler.alias, 'Jonas Weber', messages);
  await openConversation(page, handler, id);
  return id;
}

/** Answers these requests with success, in place of the installation. All tests share it, so it has too much to show. */
export async function answer(page: Page, url: string | RegExp, json: object): Promise<void> {
  await page.route(url, (route) => route.fulfill({ json: { success: true, ...json } }));
}

export async function shows(page: Page, text: string): Promise<void> {
  await expect(page.getByText(text).first()).toBeVisible();
}

type Line = [daysAgo: number, time: string, from: Written['from'], text: string];

/**
 * More than two days, several groups, and texts that are hard to lay out: long words, right-to-left text, links, emoji.
 */
const evening: Line[] = [
  [6, '18:02', 'visitor', 'Hello! I was at the reading in Lyon last week and could not ask my question.'],
  [6, '18:03', 'visitor', 'Is this really you?'],
  [6, '19:40', 'owner', 'Hello Jonas. It is us, yes: I read everything, and someone helps me type.'],
  [6, '19:41', 'owner', 'So what was the question?'],
  [1, '09:12', 'visitor', 'Why does the lighthouse keeper never write back?'],
  [
    1,
    '09:20',
    'owner',
    'Because he does, in the draft. Chapter nine is one long letter, and I took it out three days before it went to print. Some of it is here: https://example.org/letters/chapter-nine?draft=3 and the rest is in a drawer.',
  ],
  [1, '09:21', 'owner', '😮'],
  [1, '09:24', 'visitor', '🕯️📖'],
  [
    1,
    '09:25',
    'visitor',
    'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft is the word he would have used, no?',
  ],
  [1, '09:31', 'owner', 'مرحبا! كتب لي مترجمك أيضا: https://example.org/ar'],
  [1, '09:32', 'owner', 'One line.\nAnd another.\n\nAnd one after a pause.'],
  [0, '00:05', 'visitor', 'I could not sleep, so I read it again.'],
  [0, '00:06', 'owner', 'Then we are two.'],
];

const last: Line = [0, '00:08', 'visitor', 'Thank you. That is all I wanted to know.'];

export function conversation(): Written[] {
  return [...evening, last].map(written);
}

/** The same, but the last message is from the other side. */
export function conversationToAnswer(): Written[] {
  return evening.map(written);
}

function written([daysAgo, time, from, text]: Line): Written {
  const at = new Date();
  at.setDate(at.getDate() - daysAgo);
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  at.setHours(hours, minutes, 0, 0);
  return { from, text, at: new Date(Math.min(at.getTime(), Date.now())) };
}
