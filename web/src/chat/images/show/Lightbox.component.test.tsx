import { imageTexts } from '@settee/protocol/texts/imageTexts';
import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { Entry } from '../../model/entries.ts';
import { AddressesContext } from './addressesContext.ts';
import { Lightbox } from './Lightbox.tsx';

// Midnight must not come between the data and the screen.
vi.setSystemTime(new Date(2026, 10, 16, 15));

/** An image as wide and high as the window. */
const picture = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="700"><rect width="1200" height="700" fill="teal"/></svg>')}`;

const entries = (['visitor', 'owner'] as const).map(
  (sender, i): Entry => ({
    key: String(i),
    seq: i + 1,
    sender,
    text: '',
    media: { mediaUrl: `/media/${i}`, mediaType: 'image/png', fileName: 'IMG_2034.png' },
    at: new Date().setHours(9, 41 + i, 0, 0),
    state: 'stored',
  }),
);

const addresses = {
  get: async () => picture,
  known: () => picture,
  failed: () => {},
  onLine: () => () => {},
  keepOwn: () => {},
  stop: () => {},
};

async function open(onClose = () => {}) {
  const screen = await render(
    <AddressesContext value={addresses}>
      <Lightbox entries={entries} at="1" me="visitor" name="Mara Lindqvist" onClose={onClose} />
    </AddressesContext>,
  );
  await expect.element(screen.getByRole('img')).toHaveAttribute('data-shown', 'true');
  return screen;
}

const shift = () => {
  const drawn = document.querySelector('dialog img');
  return drawn ? new DOMMatrix(getComputedStyle(drawn).transform) : new DOMMatrix();
};

test('[LOOK-07] the viewer shows who sent an image and when, not its file, and offers to save it', async () => {
  const screen = await open();
  await expect.element(screen.getByText('Mara Lindqvist', { exact: true })).toBeVisible();
  await expect.element(screen.getByText('Today 09:42 · 2 of 2')).toBeVisible();
  expect(document.body.textContent).not.toContain('IMG_2034');
  await expect.element(screen.getByRole('button', { name: imageTexts.save })).toBeVisible();
});

test('[A11Y-06] arrow keys pan a zoomed image, and go to the next one otherwise', async () => {
  const screen = await open();
  await userEvent.keyboard('+');
  await userEvent.keyboard('+');
  await expect.poll(() => shift().a).toBeGreaterThan(2);
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(() => shift().e).toBe(-80);
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(() => shift().f).toBe(-80);
  await userEvent.keyboard('{ArrowLeft}{ArrowUp}');
  await expect.poll(() => [shift().e, shift().f]).toEqual([0, 0]);
  await screen.getByRole('button', { name: imageTexts.zoomOut }).click();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(screen.getByText('Today 09:41 · 1 of 2')).toBeVisible();
});

test('[LOOK-08] Back closes the viewer and stays on the page', async () => {
  const closed = Promise.withResolvers<void>();
  await open(() => closed.resolve());
  const { href } = location;
  history.back();
  await closed.promise;
  expect(location.href).toBe(href);
});
