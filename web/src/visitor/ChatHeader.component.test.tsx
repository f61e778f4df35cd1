import { defaultBrand } from '@settee/protocol/model/brand';
import { texts } from '@settee/protocol/texts/texts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { watchTooltips } from '../ui/tooltipWatch.ts';
import { ChatHeader } from './ChatHeader.tsx';

const profile = { brand: defaultBrand, presence: 'online' } as const;

test('outside the opening hours the header does not show Online', async () => {
  const screen = await render(<ChatHeader profile={profile} connecting={false} />);
  await expect.element(screen.getByRole('status')).toHaveTextContent(texts.online);
  await screen.rerender(<ChatHeader profile={profile} connecting={false} away />);
  await expect.element(screen.getByRole('status')).toHaveTextContent(texts.offline);
  await expect.element(screen.getByText(texts.online)).not.toBeInTheDocument();
});

test('[V-08] the badge’s tooltip says that this is the official profile, and stays within a phone’s width', async () => {
  watchTooltips();
  await page.viewport(360, 640);
  const brand = {
    ...defaultBrand,
    displayName: 'A name that is longer than a phone is wide',
    verified: true,
  };
  const screen = await render(<ChatHeader profile={{ ...profile, brand }} connecting={false} />);
  await screen.getByRole('img', { name: 'This is the official profile.' }).hover();
  const tip = screen.getByRole('tooltip', { name: 'This is the official profile.' });
  await expect.element(tip).toBeVisible();
  await expect.poll(() => tip.element().getBoundingClientRect().right).toBeLessThanOrEqual(360);
  expect(tip.element().getBoundingClientRect().left).toBeGreaterThanOrEqual(0);
});
