import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { expect, test, vi } from 'vitest';
import { emulateMedia } from '../../../test/browser.ts';
import { renderAdmin } from '../../../test/renderAdmin.tsx';

type Screen = Awaited<ReturnType<typeof renderAdmin>>['screen'];

async function createTwo({ screen }: { screen: Screen }): Promise<void> {
  await screen.getByLabelText(texts.prefix).fill('Paper');
  await screen.getByRole('textbox', { name: texts.count, exact: true }).fill('2');
  await screen.getByRole('button', { name: 'Create 2 invites' }).click();
  await expect.element(screen.getByRole('heading', { name: '2 invites created' })).toBeVisible();
}

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
