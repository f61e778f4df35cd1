import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderAdmin } from '../../test/renderAdmin.tsx';

test('the frame works by keyboard and shows its counts', async () => {
  const { screen } = await renderAdmin({
    path: '/admin/profile',
    answers: { readCounts: { open: 1_023, handlers: 4 } },
  });
  const navigation = screen.getByRole('navigation', { name: adminTexts.navigation });
  await expect.element(navigation.getByRole('link', { name: 'Conversations 1,023 open' })).toBeVisible();
  await expect.element(navigation.getByRole('link', { name: 'Handlers 4 active' })).toBeVisible();
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
