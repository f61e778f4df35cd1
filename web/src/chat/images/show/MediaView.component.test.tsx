import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { fakeAddresses } from '../../../../test/fakeAddresses.ts';
import { AddressesContext } from './addressesContext.ts';
import { MediaView } from './MediaView.tsx';

/** An image that the test server has: one that fails to load would be replaced by a message. */
const address = '/web/public/favicon.svg';
const addresses = fakeAddresses();

test('[V-16] media shows as an image, a video or a link, by its type, and only if the page may load it', async () => {
  const kinds = [
    { mediaType: 'image/webp', mediaUrl: address, fileName: 'lighthouse.webp' },
    { mediaType: 'video/mp4', mediaUrl: address, fileName: 'film.mp4' },
    { mediaType: 'application/pdf', mediaUrl: address, fileName: 'letter.pdf' },
    { mediaType: 'application/pdf', mediaUrl: 'javascript:alert(1)', fileName: 'trap.pdf' },
  ];
  const screen = await render(
    <AddressesContext value={addresses}>
      {kinds.map((media) => (
        <MediaView key={media.fileName} media={media} mine name="Mara" tabIndex={0} />
      ))}
    </AddressesContext>,
  );
  const image = screen.getByRole('img', { name: 'Your image: lighthouse.webp' });
  await expect.element(image).toHaveAttribute('src', address);
  await expect.poll(() => (image.element() as HTMLImageElement).naturalWidth).toBeGreaterThan(0);
  const video = () => screen.container.querySelector('video');
  await expect.poll(() => video()?.getAttribute('src')).toBe(address);
  await expect.element(screen.getByRole('link', { name: 'letter.pdf' })).toHaveAttribute('href', address);
  // An anchor without an address is no link.
  expect(screen.getByText('trap.pdf').element().tagName).toBe('A');
  await expect.element(screen.getByText('trap.pdf')).not.toHaveAttribute('href');
});
