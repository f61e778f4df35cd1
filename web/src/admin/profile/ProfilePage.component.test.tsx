import { defaultBrand } from '@settee/protocol/model/brand';
import { defaultSettings } from '@settee/protocol/model/staffSettings';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { staffMailTexts } from '@settee/protocol/texts/staffMailTexts';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { renderAdmin } from '../../../test/renderAdmin.tsx';

test('the bar of unsaved changes covers no field, saving keeps the focus, and the toast covers no button', async () => {
  const { screen } = await renderAdmin({
    path: '/admin/profile',
    answers: {
      saveProfileSettings: ({ body: { greeting = '' } }) => ({
        brand: { ...defaultBrand, greeting },
        settings: { ...defaultSettings, reopenDays: 7, keepDays: null },
      }),
    },
  });
  const fields = screen.getByRole('main').getByRole('textbox');
  const bar = screen.getByRole('region', { name: adminTexts.unsaved });
  await expect.element(fields.first()).toBeVisible();
  for (const field of fields.all().slice(0, 5)) {
    // At the lower edge, where the bar appears.
    field.element().scrollIntoView({ block: 'end' });
    await field.click();
    await userEvent.keyboard('x');
    await expect.element(bar).toBeVisible();
    const { bottom } = field.element().getBoundingClientRect();
    expect(bottom).toBeLessThanOrEqual(bar.element().getBoundingClientRect().top);
    await bar.getByRole('button', { name: adminTexts.discard }).click();
    await expect.element(bar).not.toBeInTheDocument();
    await expect.element(field).toHaveFocus();
  }

  const greeting = screen.getByLabelText(profileTexts.greeting);
  await greeting.fill('Hello there');
  await bar.getByRole('button', { name: adminTexts.save }).click();
  const toast = screen.getByText(adminTexts.saved);
  await expect.element(toast).toBeVisible();
  await expect.element(greeting).toHaveFocus();
  // The toast does not block the page: the account button beside it works.
  await screen.getByRole('button', { name: new RegExp(`^${consoleTexts.me}`) }).click();
  await expect.element(screen.getByRole('menu')).toBeVisible();
});

test('the profile page lets visitors leave an address, and shows refusals without addresses', async () => {
  const settings = { ...defaultSettings, reopenDays: 7, keepDays: null };
  const figure = { kind: 'reply', lastAt: 1 } as const;
  const { screen, gateway } = await renderAdmin({
    path: '/admin/profile',
    answers: {
      readMailFigures: {
        figures: [
          { ...figure, outcome: 'sent', count: 12, lastReason: null },
          { ...figure, outcome: 'refused', count: 3, lastReason: '550 5.1.1' },
        ],
      },
      saveProfileSettings: ({ body: { visitorMail = false } }) => ({
        brand: defaultBrand,
        settings: { ...settings, visitorMail },
      }),
    },
  });
  const card = screen.getByRole('region', { name: staffMailTexts.title });
  await expect
    .element(card.getByRole('row', { name: 'Replies to visitors 12 0 3 0 550 5.1.1' }))
    .toBeVisible();
  await card.getByRole('checkbox', { name: staffMailTexts.visitorMail }).click();
  await screen.getByRole('button', { name: adminTexts.save }).click();
  await expect.element(screen.getByText(adminTexts.saved)).toBeVisible();
  expect(gateway.asked('saveProfileSettings')).toMatchObject([{ body: { visitorMail: true } }]);
});
