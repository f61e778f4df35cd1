/** Sizes in image pixels. */
type Size = { width: number; height: number };
export type Crop = { left: number; top: number; zoom: number };

export const ZOOM_MAX = 4;

/** Side of the cropped square at this zoom. */
export function sideOf({ width, height }: Size, zoom: number): number {
  return Math.min(width, height) / zoom;
}

/** The largest square in the middle. */
export function initialCrop(size: Size): Crop {
  const side = sideOf(size, 1);
  return { left: (size.width - side) / 2, top: (size.height - side) / 2, zoom: 1 };
}

export function moveCrop(size: Size, crop: Crop, by: { x: number; y: number }): Crop {
  return clampCrop(size, { ...crop, left: crop.left + by.x, top: crop.top + by.y });
}

/** Zooms around the square's centre. */
export function zoomCrop(size: Size, crop: Crop, zoom: number): Crop {
  const next = Math.min(Math.max(zoom, 1), ZOOM_MAX);
  const half = (sideOf(size, crop.zoom) - sideOf(size, next)) / 2;
  return clampCrop(size, { left: crop.left + half, top: crop.top + half, zoom: next });
}

function clampCrop(size: Size, { left, top, zoom }: Crop): Crop {
  const side = sideOf(size, zoom);
  const clamp = (value: number, length: number) => Math.min(Math.max(value, 0), length - side);
  return { left: clamp(left, size.width), top: clamp(top, size.height), zoom };
}
