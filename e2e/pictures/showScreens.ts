import { createHash } from 'node:crypto';
import { chromium, expect, type Locator, type Page } from '@playwright/test';
import { inviteAdminTexts } from '@settee/protocol/texts/inviteAdminTexts';
import { chromiumLaunch } from '../chromium.ts';
import { openWithCode, signIn } from '../product/people.ts';

/** The installation, and the accounts that see the screens. */
export type Scene = {
  url: string;
  /** A chat of the demo, and the code that opens it in this browser. */
  shown: { link: string; code: string };
  handler: { alias: string; email: string; password: string };
  admin: { email: string; password: string };
};

/** `looks` is the same as long as the screen has the same elements, words and styles. */
export type Screen = { name: string; page: Page; looks: string };

const PHONE = { width: 390, height: 760 };
const DESK = { width: 1_280, height: 800 };
/** Shows the whole dashboard. */
const DASHBOARD = { width: 1_280, height: 900 };
const INVITE = { width: 1_280, height: 520 };
const SLOW_MS = 60_000;

/** Shows every screen of the README, light and dark, at double resolution: a page until the next one is asked for. */
export async function* showScreens(scene: Scene): AsyncGenerator<Screen> {
  const browser = await chromium.launch(chromiumLaunch);
  try {
    const person = async (viewport: typeof DESK): Promise<Page> => {
      const context = await browser.newContext({
        baseURL: scene.url,
        viewport,
        deviceScaleFactor: 2,
        reducedMotion: 'reduce',
        serviceWorkers: 'block',
        locale: 'en-GB',
      });
      context.setDefaultTimeout(SLOW_MS);
      return context.newPage();
    };
    const visitor = await person(PHONE);
    const desk = await person(DESK);
    const admin = await person(DESK);
    yield* ofChat(visitor, desk, scene);
    yield* ofDashboard(admin, scene);
    yield* ofInvites(admin);
  } finally {
    await browser.close();
  }
}

async function* ofChat(visitor: Page, desk: Page, { shown, handler }: Scene): AsyncGenerator<Screen> {
  const { link, code } = shown;
  await signIn(desk, handler);
  await desk.getByRole('link', { name: /Jonas Weber/ }).click();
  await openWithCode(visitor, link, 'Jonas Weber', code);
  await expect(visitor.getByText('May I read it to them tomorrow?')).toBeVisible({ timeout: SLOW_MS });
  await expect(visitor.getByText(/^Seen/)).toBeVisible({ timeout: SLOW_MS });
  const reply = desk.getByPlaceholder('Type your message...');
  const message = visitor.getByPlaceholder('Message...');
  await reply.pressSequentially('Of course! Tell them the storm chapter took eleven ');
  for (const theme of ['light', 'dark'] as const) {
    for (const page of [visitor, desk]) await page.emulateMedia({ colorScheme: theme });
    // Each screen shows that the other side is typing.
    await typeUntilSeen(reply, visitor);
    yield await screenOf(visitor, `visitor-${theme}`);
    await typeUntilSeen(message, desk);
    yield await screenOf(desk, `console-${theme}`);
  }
}

/** The composer is as before, and the other side shows that somebody types. */
async function typeUntilSeen(composer: Locator, other: Page): Promise<void> {
  await expect(async () => {
    await composer.pressSequentially('d');
    await composer.press('Backspace');
    await expect(other.getByText('is typing').first()).toBeAttached({ timeout: 2_000 });
  }).toPass({ timeout: SLOW_MS });
}

async function* ofDashboard(page: Page, { admin }: Scene): AsyncGenerator<Screen> {
  const { email, password } = admin;
  const signedIn = await page.context().request.post('/auth/staff/sign-in', { data: { email, password } });
  expect(signedIn.ok()).toBe(true);
  await page.setViewportSize(DASHBOARD);
  await page.goto('/admin');
  await expect(page.locator('[data-chart]').first()).toBeVisible({ timeout: SLOW_MS });
  yield* inBothThemes(page, 'dashboard');
}

async function* ofInvites(page: Page): AsyncGenerator<Screen> {
  await page.setViewportSize(INVITE);
  await page.goto('/admin/invites/new');
  await page.getByLabel(inviteAdminTexts.label).fill('Lyon reading, no. 60');
  await page.getByLabel(inviteAdminTexts.desk).selectOption('mara-east');
  await page.getByRole('button', { name: inviteAdminTexts.create }).click();
  await expect(page.getByRole('img', { name: /QR/ })).toBeVisible({ timeout: SLOW_MS });
  yield* inBothThemes(page, 'invite');
}

async function* inBothThemes(page: Page, name: string): AsyncGenerator<Screen> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    yield await screenOf(page, `${name}-${theme}`);
  }
}

/** The screen after fonts and images have loaded and the layout is painted. */
async function screenOf(page: Page, name: string): Promise<Screen> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
    for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
  });
  const looks = await page.evaluate(readLooks);
  return { name, page, looks: createHash('sha256').update(looks.join('\n')).digest('hex').slice(0, 16) };
}

/**
 * Runs in the page. Every style that is on the screen, and the words of headings, controls and links outside of rows,
 * each once: how many rows there are, and what stands in them, depends on the time of day. So does the colour of a
 * figure: a wait gets another one after some minutes, and a trend after midnight.
 */
function readLooks(): string[] {
  const still = new CSSStyleSheet();
  still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
  const looks = new Set<string>();
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest('[data-tone], [data-good]')) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { color, backgroundColor, borderRadius, boxShadow, font, padding, gap } = getComputedStyle(element);
    looks.add(
      [element.localName, color, backgroundColor, borderRadius, boxShadow, font, padding, gap].join('|'),
    );
    // In the navigation, a count stands beside the words.
    const named = 'h1, h2, label, th, button, input, textarea, a:not(li a, td a), nav a > span';
    if (!element.matches(named)) continue;
    const words = element.getAttribute('placeholder') ?? element.textContent;
    if (!/\d/.test(words)) looks.add(`${element.localName}: ${words}`);
  }
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== still);
  return [...looks].toSorted();
}
