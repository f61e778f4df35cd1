import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { dashboardTexts } from '@settee/protocol/texts/dashboardTexts';
import { inviteAdminTexts } from '@settee/protocol/texts/inviteAdminTexts';
import { landingTexts } from '@settee/protocol/texts/landingTexts';
import { setupTexts } from '@settee/protocol/texts/setupTexts';
import { withoutPoll } from './admins.ts';
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

test('[ADMIN-36] from an empty installation to the first answered message; the dashboard follows, live', async ({
  browser,
  watcher,
}) => {
  const installation = await startEmptyInstallation();
  const { url: baseURL } = installation;
  watcher.allow(baseURL);
  const open = async () => (await browser.newContext({ baseURL })).newPage();
  try {
    const page = await open();
    await page.goto('/');
    await expect(page.getByText('This installation has no administrator yet.')).toBeVisible();
    await expect(page.getByLabel(landingTexts.landingField)).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Set it up' })).toHaveAttribute('href', '/admin/setup');
    // Who goes to the admin area at once gets there too.
    await page.goto('/admin');
    await page.getByRole('button', { name: 'Set it up' }).click();
    // The gateway prints the code after it begins to answer.
    const code = (): string => /Setup code: (\S+)/.exec(installation.printed())?.[1] ?? '';
    await expect.poll(code).not.toBe('');
    await becomeAdministrator(page, code());
    await expect(page).toHaveURL(/\/admin\/dashboard$/);

    // Each step links to its page. The list updates by itself when the step is done.
    const steps = page.getByRole('region', { name: setupTexts.stepsTitle });
    await expect(steps.getByText('1 of 3 done')).toBeVisible();
    // Who works alone answers at a desk of their own, at once.
    await steps.getByRole('button', { name: setupTexts.answerMyself }).click();
    await expect(page.getByText('Handler: mara-lindqvist')).toBeVisible();
    await page.goto('/admin/handlers/new');
    const link = await addHandler(page);
    await choosePassword(await open(), link);
    // The link works once.
    const thief = await open();
    await thief.goto(link);
    await expect(thief.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
    await followStep(page, setupTexts.invite, inviteAdminTexts.newInvite);
    const invite = await makeInvite(page);
    await withoutPoll(page);
    await page.goto('/admin/dashboard');
    await expect(page.getByRole('heading', { level: 1, name: adminTexts.dashboard })).toBeVisible();
    await expect(page.getByRole('link', { name: 'People 2 active' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Conversations 0 open' })).toBeVisible();
    await expect(steps).toHaveCount(0);

    // From here on the administrator's page updates by itself, without its poll.
    const figure = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
    const visitor = await open();
    await startChatWithForms(visitor, invite, 'Jonas');
    await expect(page.getByRole('link', { name: 'Conversations 1 open' })).toBeVisible();
    await send(visitor, 'Is somebody there?');
    await expect(figure(dashboardTexts.messages)).toHaveAccessibleName(/^Messages 1 /);
    await expect(figure(dashboardTexts.waitingNow)).toHaveAccessibleName(/^Waiting now 1 /);
    const waiting = page.getByRole('region', { name: dashboardTexts.waiting }).getByRole('row');
    await expect(waiting.filter({ hasText: 'Is somebody there?' })).toContainText(HANDLER.alias);
    const desk = await open();
    await signInWithForm(desk, HANDLER);
    await desk.getByRole('link', { name: /Jonas/ }).click();
    await send(desk, 'Yes, welcome.');
    await expectTexts(visitor, ['Is somebody there?', 'Yes, welcome.']);
    await expect(figure(dashboardTexts.messages)).toHaveAccessibleName(/^Messages 2 /);
    await expect(figure(dashboardTexts.waitingNow)).toHaveAccessibleName(/^Waiting now 0 /);
    // The chart is also a table.
    await page.getByRole('button', { name: adminTexts.viewAsTable }).click();
    const days = page.getByRole('table', { name: dashboardTexts.messagesPerDay }).getByRole('row');
    await expect(days).toHaveCount(8);
    await expect(days.last().getByRole('cell')).toHaveText(['1', '1']);

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
