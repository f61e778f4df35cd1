import type { Page } from '@playwright/test';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { inviteAdminTexts } from '@settee/protocol/texts/inviteAdminTexts';
import { landingTexts } from '@settee/protocol/texts/landingTexts';
import { setupTexts } from '@settee/protocol/texts/setupTexts';
import { startEmptyInstallation } from './ownInstallation.ts';
import { expectTexts, send, signInWithForm, startChatWithForms } from './people.ts';
import { expect, test } from './watched.ts';

const EMAIL = 'ada@settee.example';
const HANDLER = {
  name: 'Noor Haddad',
  email: 'noor@settee.example',
  alias: 'mara-east',
  password: 'four words nobody guesses',
};

test('[OPS-07] [ADMIN-16] from an empty installation to the first answered message', async ({
  browser,
  watcher,
}, testInfo) => {
  test.slow();
  const started = performance.now();
  const installation = await startEmptyInstallation();
  const { url: baseURL } = installation;
  watcher.allow(baseURL);
  const open = async () => (await browser.newContext({ baseURL })).newPage();
  try {
    const page = await open();
    await page.goto('/');
    await expect(page.getByText('This installation has no administrator yet.')).toBeVisible();
    await expect(page.getByLabel(landingTexts.landingField)).toHaveCount(0);
    await page.screenshot({ path: testInfo.outputPath('landing-empty.png') });
    await page.getByRole('link', { name: 'Set it up' }).click();
    await becomeAdministrator(page, codeIn(installation.printed()));
    await expect(page).toHaveURL(/\/admin\/dashboard$/);

    // Each step links to its page. The list updates by itself when the step is done.
    const steps = page.getByRole('region', { name: setupTexts.stepsTitle });
    await expect(steps.getByText('1 of 3 done')).toBeVisible();
    await followStep(page, setupTexts.handler, adminTexts.handlers);
    const link = await addHandler(page);
    await choosePassword(await open(), link);
    await followStep(page, setupTexts.invite, inviteAdminTexts.newInvite);
    const invite = await makeInvite(page);
    await page.goto('/admin/dashboard');
    await expect(page.getByRole('heading', { level: 1, name: adminTexts.dashboard })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Handlers 1 active' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Conversations 0 open' })).toBeVisible();
    await expect(steps).toHaveCount(0);

    const visitor = await open();
    await startChatWithForms(visitor, invite, 'Jonas');
    // The administrator's page updates by itself, and sooner than its next poll.
    await expect(page.getByRole('link', { name: 'Conversations 1 open' })).toBeVisible({ timeout: 10_000 });
    await send(visitor, 'Is somebody there?');
    const desk = await open();
    await signInWithForm(desk, HANDLER);
    await desk.getByRole('link', { name: /Jonas/ }).click();
    await send(desk, 'Yes, welcome.');
    await expectTexts(visitor, ['Is somebody there?', 'Yes, welcome.']);
    const seconds = Math.round((performance.now() - started) / 1_000);
    console.log(`from an empty database to the first answered message: ${seconds} s`);

    // The code is used up, and the site has a landing page.
    await page.goto('/admin/setup');
    await expect(page.getByRole('heading', { name: setupTexts.doneTitle })).toBeVisible();
    await page.goto('/');
    await expect(page.getByText('Mara Lindqvist')).toBeVisible();
    await expect(page.getByLabel(landingTexts.landingField)).toBeVisible();
  } finally {
    await installation.stop();
  }
});

function codeIn(printed: string): string {
  return /Setup code: (\S+)/.exec(printed)?.[1] ?? '';
}

/** From the setup page to the gate, with a wrong code first. */
async function becomeAdministrator(page: Page, code: string): Promise<void> {
  await page.getByLabel('Public name').fill('Mara Lindqvist');
  await page.getByLabel('Your name').fill('Ada Berg');
  await page.getByLabel('Email address').fill(EMAIL);
  await page.getByLabel('Password').fill('a password for the first run');
  const field = page.getByLabel('Setup code');
  const submit = page.getByRole('button', { name: 'Create administrator' });
  await field.fill('0000-0000-0000-0000');
  await submit.click();
  await expect(page.getByText('Invalid code. Please try again.')).toBeVisible();
  // The printed address contains the code and leaves it nowhere in the browser.
  await page.goto(`/admin/setup#${code}`);
  await expect(field).toHaveValue(code);
  await expect(page).toHaveURL(/\/admin\/setup$/);
  await submit.click();
}

async function followStep(page: Page, step: string, place: string): Promise<void> {
  await page.goto('/admin/dashboard');
  const item = page.getByRole('listitem').filter({ hasText: step });
  await expect(item.getByText('Next')).toBeVisible();
  await item.getByRole('link', { name: step }).click();
  await expect(page.getByRole('heading', { level: 1, name: place })).toBeVisible();
}

/** Returns the link with which the handler chooses a password. */
async function addHandler(page: Page): Promise<string> {
  const form = page.getByRole('dialog', { name: 'Add a handler' });
  await form.getByLabel('Name').fill(HANDLER.name);
  await form.getByLabel('Email address').fill(HANDLER.email);
  await form.getByLabel('Alias').fill(HANDLER.alias);
  await form.getByRole('button', { name: 'Add and create link' }).click();
  return page.getByLabel('Password link', { exact: true }).inputValue();
}

async function choosePassword(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('New password').fill(HANDLER.password);
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByRole('heading', { name: 'Your password is saved' })).toBeVisible();
}

/** Returns the invite link that the page shows. */
async function makeInvite(page: Page): Promise<string> {
  await page.getByLabel('Label').fill('The first one');
  await page.getByLabel('Handler').selectOption(HANDLER.alias);
  await page.getByRole('button', { name: 'Create invite' }).click();
  return page.getByLabel('Invite link', { exact: true }).inputValue();
}
