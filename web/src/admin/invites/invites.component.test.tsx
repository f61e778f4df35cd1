import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { emulateMedia } from '../../../test/browser.ts';
import { anInvite, inviteList, renderAdmin } from '../../../test/renderAdmin.tsx';

type Screen = Awaited<ReturnType<typeof renderAdmin>>['screen'];

async function createOne({ screen }: { screen: Screen }): Promise<void> {
  await screen.getByLabelText(texts.label).fill('Last');
  await screen.getByRole('button', { name: texts.create }).click();
  await expect.element(screen.getByText(texts.linkShownOnce)).toBeVisible();
}

async function createTwo({ screen }: { screen: Screen }): Promise<void> {
  await screen.getByLabelText(texts.prefix).fill('Paper');
  await screen.getByRole('textbox', { name: texts.count, exact: true }).fill('2');
  await screen.getByRole('button', { name: 'Create 2 invites' }).click();
  await expect.element(screen.getByRole('heading', { name: '2 invites created' })).toBeVisible();
}

test('a new link stays visible when the last desk goes', async () => {
  // All pages of a browser share its clipboard, also those of tests that run at the same time.
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  onTestFinished(() => write.mockRestore());
  const { screen, gateway } = await renderAdmin({ path: '/admin/invites/new' });
  await createOne({ screen });
  const link = screen.getByLabelText(texts.linkOf, { exact: true });
  const made = (link.element() as HTMLInputElement).value;
  expect(made).toMatch(/^https:/);
  const reads = gateway.asked('readDesks').length;
  gateway.answer('readDesks', { desks: [] });
  gateway.push({ type: 'managementChanged', topics: ['staff'] });
  await expect.poll(() => gateway.asked('readDesks').length).toBeGreaterThan(reads);
  // The page says it for two seconds, which may be over before the test looks.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await screen.getByRole('button', { name: adminTexts.copyLink }).click();
  await expect.element(screen.getByRole('button', { name: adminTexts.copied })).toBeVisible();
  expect(write).toHaveBeenCalledExactlyOnceWith(made);
  await expect.element(link).toHaveValue(made);
  await screen.getByRole('button', { name: texts.another }).click();
  await expect.element(screen.getByText(texts.noDesks)).toBeVisible();
});

test('links count as printed only after the administrator confirms it', async () => {
  // The user cancels the print dialog. The browser does not report this to the page.
  vi.stubGlobal('print', () => {});
  const { screen } = await renderAdmin({ path: '/admin/invites/bulk' });
  const button = (name: string) => screen.getByRole('button', { name, exact: true });
  const question = screen.getByRole('dialog', { name: texts.printedTitle });
  const loss = screen.getByRole('dialog', { name: texts.dropLinksTitle });
  await createTwo({ screen });
  await button(texts.printSheet).click();
  await button(texts.print).click();
  await question.getByRole('button', { name: texts.notPrinted }).click();
  await button(texts.back).click();
  await button(texts.another).click();
  await loss.getByRole('button', { name: consoleTexts.cancel }).click();
  await expect.element(loss).not.toBeInTheDocument();

  await button(texts.printSheet).click();
  await button(texts.print).click();
  await expect.element(question).toBeVisible();
  // Some browsers do not block while printing. They must not print the question.
  const element = question.element();
  await emulateMedia({}, 'print');
  await expect.poll(() => element.checkVisibility()).toBe(false);
  await emulateMedia({}, 'screen');
  await question.getByRole('button', { name: texts.printed }).click();
  await button(texts.back).click();
  await button(texts.another).click();
  await expect.element(screen.getByLabelText(texts.prefix)).toBeVisible();
});

test('an imported file keeps the letters of an old encoding', async () => {
  const { screen } = await renderAdmin({ path: '/admin/invites/import' });
  // In windows-1252, as old spreadsheets save it.
  const bytes = Uint8Array.from('K\u00e4the M\u00fcller,mara-east,30\r\n', (letter) => letter.charCodeAt(0));
  const field = screen.getByLabelText(texts.importFile);
  await userEvent.upload(field, new File([bytes], 'list.csv', { type: 'text/csv' }));
  await expect
    .element(screen.getByLabelText(texts.importText))
    .toHaveValue('K\u00e4the M\u00fcller,mara-east,30\n');
  await expect.element(screen.getByRole('button', { name: texts.create })).toBeEnabled();
});

/** Whether the browser would ask before it leaves the page. */
function browserAsks(): boolean {
  return !dispatchEvent(new Event('beforeunload', { cancelable: true }));
}

async function signOut(screen: Screen): Promise<void> {
  await screen.getByRole('button', { name: new RegExp(`^${consoleTexts.me}`) }).click();
  await screen.getByRole('menuitem', { name: consoleTexts.signOut }).click();
}

test('signing out asks before it loses several links, and then the browser does not ask', async () => {
  const { screen, gateway } = await renderAdmin({ path: '/admin/invites/bulk' });
  await createTwo({ screen });
  await signOut(screen);
  const question = screen.getByRole('dialog', { name: texts.dropLinksTitle });
  await question.getByRole('button', { name: consoleTexts.cancel }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(screen.getByRole('heading', { name: '2 invites created' })).toBeVisible();

  const release = gateway.hold('signOutStaff');
  await signOut(screen);
  await question.getByRole('button', { name: consoleTexts.signOut }).click();
  await expect.poll(() => gateway.asked('signOutStaff').length).toBe(1);
  // The page would load the sign-in page now, which a test cannot follow.
  await screen.unmount();
  expect(browserAsks()).toBe(true);
  release();
  await expect.poll(browserAsks).toBe(false);
});

test('an open invite form stays when an update empties the list', async () => {
  const { screen, gateway } = await renderAdmin({
    path: '/admin/invites?state=SEEN',
    answers: {
      readInvites: inviteList([anInvite('Spring tour', { state: 'SEEN', seenAt: Date.now() })]),
      updateInvite: { expiresAt: Date.now() + 1 },
    },
  });
  await screen.getByRole('button', { name: 'Actions for Spring tour' }).click();
  await screen.getByRole('menuitem', { name: texts.edit }).click();
  const dialog = screen.getByRole('dialog');
  const label = dialog.getByLabelText(texts.label);
  await label.fill('Half-written');

  gateway.answer('readInvites', inviteList([anInvite('Spring tour', { state: 'BOUND' })]));
  gateway.push({ type: 'managementChanged', topics: ['invites'] });
  await expect.element(screen.getByText(adminTexts.noMatches)).toBeVisible();
  await expect.element(label).toHaveValue('Half-written');
  await dialog.getByRole('button', { name: adminTexts.save }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(gateway.asked('updateInvite').map(({ body }) => body)).toEqual([{ label: 'Half-written' }]);
});
