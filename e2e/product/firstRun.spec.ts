import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { inviteAdminTexts } from '@settee/protocol/texts/inviteAdminTexts';
import { landingTexts } from '@settee/protocol/texts/landingTexts';
import { setupTexts } from '@settee/protocol/texts/setupTexts';
import { expectLive, withoutPoll } from './admins.ts';
import { startEmptyInstallation } from './ownInstallation.ts';
import {
  addHandler,
  becomeAdministrator,
  choosePassword,
  expectTexts,
  followStep,
  HANDLER,
  makeInvite,
  send,
  signInWithForm,
  startChatWithForms,
} from './people.ts';
import { expect, test } from './watched.ts';

test('from an empty installation to the first answered message', async ({ browser, watcher }, testInfo) => {
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
    // The gateway prints the code after it begins to answer.
    const code = (): string => codeIn(installation.printed());
    await expect.poll(code).not.toBe('');
    await becomeAdministrator(page, code());
    await expect(page).toHaveURL(/\/admin\/dashboard$/);

    // Each step links to its page. The list updates by itself when the step is done.
    const steps = page.getByRole('region', { name: setupTexts.stepsTitle });
    await expect(steps.getByText('1 of 3 done')).toBeVisible();
    await followStep(page, setupTexts.handler, adminTexts.handlers);
    const link = await addHandler(page);
    await choosePassword(await open(), link);
    await followStep(page, setupTexts.invite, inviteAdminTexts.newInvite);
    const invite = await makeInvite(page);
    await withoutPoll(page);
    await page.goto('/admin/dashboard');
    await expect(page.getByRole('heading', { level: 1, name: adminTexts.dashboard })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Handlers 1 active' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Conversations 0 open' })).toBeVisible();
    await expect(steps).toHaveCount(0);

    const visitor = await open();
    await startChatWithForms(visitor, invite, 'Jonas');
    // The administrator's page updates by itself, without its poll.
    await expectLive(page.getByRole('link', { name: 'Conversations 1 open' })).toBeVisible();
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
