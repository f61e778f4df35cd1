import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { setupTexts } from '@settee/protocol/texts/setupTexts';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Refused } from '../../test/fakeGateway.ts';
import { renderAdmin } from '../../test/renderAdmin.tsx';
import { openDraft } from '../chat/outbox/draft.ts';
import { staffStorageKey } from '../chat/outbox/outbox.ts';
import { browserUnsent } from '../chat/outbox/unsentStore.ts';

test('the admin area of an empty installation offers to set it up', async () => {
  const { screen } = await renderAdmin({
    atOnce: true,
    answers: { refreshStaff: () => new Refused('unauthenticated'), readSetup: { needed: true } },
  });
  await expect.element(screen.getByRole('heading', { name: setupTexts.emptyTitle })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: setupTexts.setUp })).toBeVisible();
});

test('an administrator without people answers at a desk of their own', async () => {
  const { screen, gateway } = await renderAdmin({
    brand: { displayName: 'Mara Lindqvist' },
    answers: { readFirstSteps: { profile: true, handler: false, invite: false } },
  });
  const step = screen.getByRole('listitem').filter({ hasText: setupTexts.answer });
  await expect.element(step).toHaveAttribute('aria-current', 'step');
  await expect
    .element(step.getByText('Makes the desk “Mara Lindqvist” and opens the console.'))
    .toBeVisible();
  // Without an answer, because the page would load the console.
  gateway.hold('changePerson');
  await step.getByRole('button', { name: setupTexts.answerMyself }).click();
  await expect
    .poll(() => gateway.asked('changePerson').at(-1)?.body.person)
    .toEqual({
      alias: 'mara-lindqvist',
      deskName: 'Mara Lindqvist',
    });
});

test('the frame works by keyboard and shows its counts', async () => {
  const { screen } = await renderAdmin({
    path: '/admin/profile',
    answers: { readCounts: { open: 1_023, handlers: 4 } },
  });
  const navigation = screen.getByRole('navigation', { name: adminTexts.navigation });
  await expect.element(navigation.getByRole('link', { name: 'Conversations 1,023 open' })).toBeVisible();
  await expect.element(navigation.getByRole('link', { name: 'People 4 active' })).toBeVisible();
  expect(navigation.element().getBoundingClientRect().width).toBe(232);

  await userEvent.keyboard('{Tab}');
  await expect.element(screen.getByRole('link', { name: adminTexts.skipToContent })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('main')).toHaveFocus();
  for (const name of [adminTexts.conversations, adminTexts.publicProfile, adminTexts.auditLog]) {
    const link = navigation.getByRole('link', { name: new RegExp(`^${name}`) });
    link.element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(link).toHaveAttribute('aria-current', 'page');
    await expect.element(screen.getByRole('heading', { level: 1, name })).toHaveFocus();
    await expect.poll(() => document.title).toMatch(new RegExp(`^${name} · .* · Admin$`));
  }
});

test('the frame shows a lost connection, but not a short interruption', async () => {
  const { screen, gateway } = await renderAdmin({ path: '/admin/profile' });
  const notice = screen.getByText(adminTexts.lineLost);
  const isShown = () => notice.query() !== null;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let waited = 0;
  const wait = () => {
    vi.advanceTimersByTime(500);
    waited += 500;
  };
  gateway.drop();
  await expect
    .poll(() => {
      wait();
      return isShown();
    })
    .toBe(true);
  expect(waited).toBeGreaterThanOrEqual(3_000);
  gateway.restore();
  await expect
    .poll(() => {
      wait();
      return isShown();
    })
    .toBe(false);
  expect(gateway.openSockets()).toBe(1);
});

test('the navigation is a sheet on a phone', async () => {
  await page.viewport(360, 700);
  const { screen, gateway } = await renderAdmin({ path: '/admin/profile' });
  const menu = screen.getByRole('button', { name: adminTexts.menu, exact: true });
  await expect.element(menu).toBeVisible();
  menu.element().focus();
  await userEvent.keyboard('{Enter}');
  const sheet = screen.getByRole('dialog', { name: adminTexts.navigation });
  await expect.element(sheet).toBeVisible();
  sheet.getByRole('link', { name: adminTexts.dashboard }).element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(sheet).not.toBeInTheDocument();
  await expect.element(screen.getByRole('heading', { level: 1, name: adminTexts.dashboard })).toBeVisible();

  const choose = async (name: string) => {
    await menu.click();
    await sheet.getByRole('button', { name: new RegExp(`^${consoleTexts.me}`) }).click();
    await screen.getByRole('menuitem', { name }).click();
  };
  await choose(adminTexts.security);
  await expect.poll(() => location.pathname).toBe('/admin/security');
  await expect.element(sheet).not.toBeInTheDocument();
  // Without an answer, because the page would load the sign-in page.
  gateway.hold('signOutStaff');
  await choose(consoleTexts.signOut);
  await expect.poll(() => gateway.asked('signOutStaff').length).toBe(1);
});

test('[CONSOLE-49] Sign Out asks about text that is unfinished in the console', async () => {
  const { screen, gateway, staff } = await renderAdmin();
  openDraft(browserUnsent(staffStorageKey(staff.staffId)), 'chat').write('Half a reply');
  await screen.getByRole('button', { name: /Administrator/ }).click();
  await screen.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect.element(screen.getByRole('dialog').getByText('1 draft')).toBeVisible();
  expect(gateway.asked('signOutStaff')).toEqual([]);
});
