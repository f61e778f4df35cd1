import { defaultBrand } from '@settee/protocol/model/brand';
import { texts } from '@settee/protocol/texts/texts';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { ChatHeader } from './ChatHeader.tsx';

const profile = { brand: defaultBrand, presence: 'online' } as const;

test('[PROFILE-14] outside the opening hours the header does not show Online', async () => {
  const screen = await render(<ChatHeader profile={profile} connecting={false} />);
  await expect.element(screen.getByRole('status')).toHaveTextContent(texts.online);
  await screen.rerender(<ChatHeader profile={profile} connecting={false} away />);
  await expect.element(screen.getByRole('status')).toHaveTextContent(texts.offline);
  await expect.element(screen.getByText(texts.online)).not.toBeInTheDocument();
});
