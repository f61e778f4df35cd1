import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { CropDialog } from './CropDialog.tsx';

/** Left half red, right half blue. */
async function halves(): Promise<ImageBitmap> {
  const canvas = new OffscreenCanvas(800, 400);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.fillStyle = '#f00';
  context.fillRect(0, 0, 400, 400);
  context.fillStyle = '#00f';
  context.fillRect(400, 0, 400, 400);
  return createImageBitmap(canvas);
}

/** The colours at the left edge, in the centre and at the right edge of the cropped image. */
async function coloursOf(blob: Blob): Promise<('red' | 'blue')[]> {
  const kept = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(kept.width, kept.height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.drawImage(kept, 0, 0);
  return [2, kept.width / 2 - 4, kept.width - 2].map((x) => {
    const [red = 0, , blue = 0] = context.getImageData(x, kept.height / 2, 1, 1).data;
    return red > blue ? 'red' : 'blue';
  });
}

async function opened() {
  const onCropped = vi.fn<(square: Blob) => void>();
  const screen = await render(
    <CropDialog picture={await halves()} onCropped={onCropped} onClose={() => {}} />,
  );
  const kept = async () => {
    await screen.getByRole('button', { name: profileTexts.cropUse }).click();
    await expect.poll(() => onCropped.mock.calls.length).toBe(1);
    return coloursOf(onCropped.mock.calls[0]?.[0] ?? new Blob());
  };
  return { screen, kept };
}

test('the crop is moved by buttons, without dragging', async () => {
  const { screen, kept } = await opened();
  for (let n = 0; n < 3; n += 1) await screen.getByRole('button', { name: profileTexts.cropRight }).click();
  expect((await kept())[1]).toBe('blue');
});

test('a tap moves the tapped point into the middle', async () => {
  const { screen, kept } = await opened();
  const view = screen.getByRole('button', { name: profileTexts.cropArea });
  await userEvent.click(view, { position: { x: 200, y: 60 } });
  expect((await kept())[1]).toBe('blue');
});

test('[MEDIA-13] the picture is cropped by dragging, up to its edge', async () => {
  const { screen, kept } = await opened();
  const view = screen.getByRole('button', { name: profileTexts.cropArea });
  const { width } = view.element().getBoundingClientRect();
  await userEvent.dragAndDrop(view, view, {
    sourcePosition: { x: width - 10, y: 60 },
    targetPosition: { x: 10, y: 60 },
  });
  expect(await kept()).toEqual(['blue', 'blue', 'blue']);
});
