import type { Page } from '@playwright/test';
import { MESSAGE_TEXT_MAX } from '@settee/protocol/model/message';
import { texts } from '@settee/protocol/texts/texts';
import { endConversation } from '../product/database.ts';
import { holdLine, type Line } from '../product/network.ts';
import { bannerCode, startChatWithForms } from '../product/people.ts';
import { conversation, conversationToAnswer } from './sampleMessages.ts';
import { openChat, type State, shows } from './stage.ts';

const GREETING = 'Hello, and welcome.\n\nAsk me anything about the tour.';
const FAREWELL = 'Thank you for writing. The door is open whenever you are in town.';
const DAY_MS = 86_400_000;

type Frame = Record<string, unknown>;

/** The profile's texts, presence, and errors on arrival. */
export const hostStates: State[] = [
  {
    name: 'chat-greeting',
    async reach({ page, desk }) {
      await changeFrames(page, withBrand({ greeting: GREETING, usualReplyMinutes: 10 }));
      await startChatWithForms(page, desk.invite(), 'Jonas Weber');
      await bannerCode(page);
      await shows(page, 'Ask me anything about the tour.');
    },
  },
  {
    name: 'closed-farewell',
    async reach(stage) {
      const invite = await openChat(stage, conversation());
      await endConversation(invite, 'closed', 8);
      await changeFrames(stage.page, withBrand({ farewell: FAREWELL }));
      await stage.page.reload();
      await shows(stage.page, FAREWELL);
    },
  },
  {
    name: 'chat-lamp-dimmed',
    async reach(stage) {
      await changeFrames(stage.page, (frame) => ('online' in frame ? { ...frame, online: false } : frame));
      await openChat(stage, conversationToAnswer());
      await shows(stage.page, texts.offline);
    },
  },
  {
    name: 'chat-away',
    async reach(stage) {
      const away = { message: 'I’m on the road right now.', until: Date.now() + DAY_MS };
      await changeFrames(stage.page, (frame) =>
        deeply(frame, (part) => ('canSend' in part ? { ...part, away } : part)),
      );
      await openChat(stage, conversationToAnswer());
      await shows(stage.page, away.message);
    },
  },
  {
    name: 'chat-text-too-long',
    async reach(stage) {
      await openChat(stage, conversationToAnswer());
      const sentence = 'He never wrote back, and still every evening the lamp was lit. ';
      await stage.page.getByRole('textbox').fill(sentence.repeat(MESSAGE_TEXT_MAX / sentence.length + 1));
      await shows(stage.page, texts.messageTooLong);
    },
  },
  {
    name: 'error-try-again',
    async reach({ page, desk }) {
      await page.route('**/checkInvite/*', (route) => route.fulfill({ status: 503, body: '' }));
      await page.goto(desk.invite());
      await shows(page, texts.tryAgain);
    },
  },
  { name: 'error-cookies-blocked', reach: ({ page, desk }) => withoutCookies(page, desk.invite(), true) },
  { name: 'error-needs-https', reach: ({ page, desk }) => withoutCookies(page, desk.invite(), false) },
];

async function withoutCookies(page: Page, invite: string, secure: boolean): Promise<void> {
  await page.addInitScript((isSecure) => {
    Object.defineProperty(navigator, 'cookieEnabled', { get: () => false });
    Object.defineProperty(globalThis, 'isSecureContext', { get: () => isSecure });
  }, secure);
  await page.goto(invite);
  await shows(page, secure ? texts.cookiesBlocked : texts.needsHttps);
}

/** The tests share one profile, so this changes the frames of a single page. */
async function changeFrames(page: Page, change: (frame: Frame) => Frame): Promise<Line> {
  const line = await holdLine(page);
  line.onDown = (frame) => JSON.stringify(change(JSON.parse(frame) as Frame));
  return line;
}

function withBrand(more: Frame): (frame: Frame) => Frame {
  return (frame) =>
    'brand' in frame
      ? { ...frame, brand: { ...(frame.brand as Frame), ...more, updatedAt: Date.now() + DAY_MS } }
      : frame;
}

function deeply(part: Frame, change: (part: Frame) => Frame): Frame {
  const entries = Object.entries(part).map(([key, value]) => [
    key,
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? deeply(value as Frame, change)
      : value,
  ]);
  return change(Object.fromEntries(entries) as Frame);
}
