import { imageTexts } from '@settee/protocol/texts/imageTexts';
import { texts } from '@settee/protocol/texts/texts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { fakeAddresses } from '../../../../test/fakeAddresses.ts';
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

const addresses = fakeAddresses(picture);

async function open(onClose = () => {}) {
  const screen = await render(
    <AddressesContext value={addresses}>
      <Lightbox entries={entries} at="1" me="visitor" name="Mara Lindqvist" onClose={onClose} />
    </AddressesContext>,
  );
  await expect.element(screen.getByRole('img')).toHaveAttribute('data-shown', 'true');
  return screen;
}

const stage = () => document.querySelector<HTMLElement>('dialog img')?.parentElement ?? document.body;

/** A pointer of the browser would need a touch screen. The page sees the same events. */
function touch(type: string, pointerId: number, clientX: number, pointerType = 'touch'): void {
  const options = { pointerId, clientX, clientY: 400, pointerType, bubbles: true, cancelable: true };
  stage().dispatchEvent(new PointerEvent(type, options));
}

const STEPS = [0.25, 0.5, 0.75, 1];

async function swipe(from: number, to: number, pointerType = 'touch'): Promise<void> {
  const before = shift().e;
  touch('pointerdown', 1, from, pointerType);
  for (const part of STEPS) touch('pointermove', 1, from + (to - from) * part, pointerType);
  // The image follows the pointer.
  await expect.poll(() => shift().e).toBe(before + to - from);
  touch('pointerup', 1, to, pointerType);
}

/** On a busy machine more than 350 ms may pass between two clicks of the browser. */
function doubleClick(image: Element): void {
  for (let n = 0; n < 2; n += 1) {
    for (const type of ['pointerdown', 'pointerup']) touch(type, 1, 640, 'mouse');
    image.dispatchEvent(new MouseEvent('click', { clientX: 640, clientY: 400, bubbles: true }));
  }
}

/** Two fingers around the middle, with these distances. */
function pinch(from: number, to: number): void {
  const middle = 640;
  for (const id of [1, 2]) touch('pointerdown', id, middle + (id === 1 ? -from : from) / 2);
  for (const part of STEPS) {
    const apart = from + (to - from) * part;
    for (const id of [1, 2]) touch('pointermove', id, middle + (id === 1 ? -apart : apart) / 2);
  }
  for (const id of [1, 2]) touch('pointerup', id, middle + (id === 1 ? -to : to) / 2);
}

const shift = () => {
  const drawn = document.querySelector('dialog img');
  return drawn ? new DOMMatrix(getComputedStyle(drawn).transform) : new DOMMatrix();
};

test('the viewer shows who sent an image and when, not its file, and offers to save it', async () => {
  const screen = await open();
  await expect.element(screen.getByText('Mara Lindqvist', { exact: true })).toBeVisible();
  await expect.element(screen.getByText('Today 09:42 · 2 of 2')).toBeVisible();
  expect(document.body.textContent).not.toContain('IMG_2034');
  await expect.element(screen.getByRole('button', { name: imageTexts.save })).toBeVisible();
});

test('arrow keys pan a zoomed image, and go to the next one otherwise', async () => {
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

test('Back closes the viewer and stays on the page', async () => {
  const closed = Promise.withResolvers<void>();
  await open(() => closed.resolve());
  const { href } = location;
  history.back();
  await closed.promise;
  expect(location.href).toBe(href);
});

test('arrow keys, Home and the buttons go through all images, and the focus stays on the button', async () => {
  const screen = await open();
  const second = screen.getByText('Today 09:42 · 2 of 2');
  await expect.element(screen.getByRole('img', { name: 'Image from Mara Lindqvist' })).toBeVisible();
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  await expect.element(screen.getByText('Today 09:41 · 1 of 2')).toBeVisible();
  await expect.element(screen.getByText(texts.you, { exact: true })).toBeVisible();
  // At the end the button keeps the focus, so the keys still work.
  const next = screen.getByRole('button', { name: imageTexts.next });
  (next.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}{Enter}');
  await expect.element(second).toBeVisible();
  await expect.element(next).toHaveFocus();
  await userEvent.keyboard('{Home}');
  await expect.element(screen.getByText('Today 09:41 · 1 of 2')).toBeVisible();
  await userEvent.keyboard('{End}');
  await expect.element(second).toBeVisible();
});

test('an image is zoomed by button, double click, wheel and two fingers, and moved by the pointer', async () => {
  vi.spyOn(Element.prototype, 'setPointerCapture').mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  const screen = await open();
  const scale = () => shift().a;
  await screen.getByRole('button', { name: imageTexts.zoomIn }).click();
  await expect.poll(scale).toBe(2.5);
  await swipe(600, 500, 'mouse');
  await screen.getByRole('button', { name: imageTexts.zoomOut }).click();
  await expect.poll(scale).toBe(1);
  doubleClick(screen.getByRole('img').element());
  await expect.poll(scale).toBe(2.5);
  stage().dispatchEvent(
    new WheelEvent('wheel', { ctrlKey: true, deltaY: 2_000, clientX: 640, clientY: 400, cancelable: true }),
  );
  await expect.poll(scale).toBe(1);
  pinch(100, 300);
  await expect.poll(scale).toBeGreaterThan(2);
  pinch(300, 60);
  await expect.poll(scale).toBe(1);
});

test('a swipe shows the next image; a short one does not', async () => {
  vi.spyOn(Element.prototype, 'setPointerCapture').mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  const screen = await open();
  await swipe(500, 700);
  const first = screen.getByText('Today 09:41 · 1 of 2');
  await expect.element(first).toBeVisible();
  await swipe(540, 500);
  await expect.poll(() => shift().e).toBe(0);
  await expect.element(first).toBeVisible();
  await swipe(700, 500);
  await expect.element(screen.getByText('Today 09:42 · 2 of 2')).toBeVisible();
});

test('Esc closes the viewer', async () => {
  const closed = Promise.withResolvers<void>();
  await open(() => closed.resolve());
  await userEvent.keyboard('{Escape}');
  await closed.promise;
});
