import { texts } from '@settee/protocol/texts/texts';
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ana } from '../../../test/aDesk.ts';
import { lost } from '../../../test/fakeGateway.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';

test('a person’s menu: availability, sound, keys, theme, by keyboard alone', async () => {
  onTestFinished(() => void delete document.documentElement.dataset.theme);
  const { screen, gateway } = await renderConsole();
  const me = (availability: string) =>
    screen.getByRole('button', { name: `You and your settings: ${ana.name}, ${availability}` });
  const menu = screen.getByRole('menu');
  const radio = (name: string) => screen.getByRole('menuitemradio', { name });
  const box = (name: string) => screen.getByRole('menuitemcheckbox', { name });
  await expect.element(me('Online')).toBeVisible();
  (me('Online').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(menu.getByText(/mara-east/)).toBeVisible();
  await expect.element(radio('Online')).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(radio('Away')).toHaveFocus();

  gateway.answer('setAvailability', () => lost);
  await userEvent.keyboard('{Enter}');
  const failed = screen.getByText('Failed to change your availability');
  await expect.poll(() => failed.elements().length).toBe(2);
  await expect.element(radio('Online')).toHaveAttribute('aria-checked', 'true');
  gateway.answer('setAvailability', ({ body }) => ({ away: body.away }));
  await userEvent.keyboard('{Enter}');
  await expect.element(radio('Away')).toHaveAttribute('aria-checked', 'true');
  await expect.poll(() => failed.elements().length).toBe(0);

  for (const name of ['Sound for new messages', 'Single-key shortcuts']) {
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(box(name)).toHaveFocus();
    await expect.element(box(name)).toHaveAttribute('aria-checked', 'true');
    await userEvent.keyboard(' ');
    await expect.element(box(name)).toHaveAttribute('aria-checked', 'false');
  }
  const paper = () => getComputedStyle(document.body).backgroundColor;
  const light = paper();
  (radio('Dark').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(paper).not.toBe(light);
  await userEvent.keyboard('{Escape}');
  await expect.element(menu).not.toBeInTheDocument();
  await expect.element(me('Away')).toHaveFocus();
  expect(localStorage.getItem('theme')).toBe('dark');

  // On a phone the menu is in the header of the queue. After a reload it shows the same settings.
  await screen.unmount();
  await page.viewport(360, 740);
  const phone = (await renderConsole({ away: true })).screen;
  await phone.getByRole('button', { name: `You and your settings: ${ana.name}, Away` }).click();
  await expect
    .element(phone.getByRole('menuitemcheckbox', { name: 'Sound for new messages' }))
    .toHaveAttribute('aria-checked', 'false');
  await phone.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect.element(phone.getByRole('heading', { name: 'Handler Console' })).toBeVisible();
});

test('another window of the same person changes the availability shown here', async () => {
  const { screen, gateway } = await renderConsole();
  await expect.element(screen.getByRole('button', { name: /Ana Kovač, Online$/ })).toBeVisible();
  gateway.push({ type: 'availability', away: true });
  await expect.element(screen.getByRole('button', { name: /Ana Kovač, Away$/ })).toBeVisible();
});

test('[LANG-06] a language that could not be saved says so, and nothing changes', async () => {
  const { screen, gateway } = await renderConsole();
  gateway.answer('saveLanguage', () => lost);
  await screen.getByRole('button', { name: /^You and your settings/ }).click();
  await screen.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await expect.element(screen.getByText(texts.networkError)).toBeVisible();
  await expect
    .element(screen.getByRole('menuitemradio', { name: 'English' }))
    .toHaveAttribute('aria-checked', 'true');
});
