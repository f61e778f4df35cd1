/** Scale and offset from the centre. */
export type View = { scale: number; x: number; y: number };
export type Point = { x: number; y: number };
/** The fitted image and the stage. */
export type Sizes = { picture: Size; stage: Size };
type Size = { width: number; height: number };

export const FIT: View = { scale: 1, x: 0, y: 0 };
/** The first zoom step. */
export const ZOOM_IN = 2.5;
const CLOSEST = 6;

/** Zooms around a point, given from the centre of the stage. */
export function zoomTo(view: View, scale: number, at: Point, room: Sizes): View {
  const to = clamp(scale, 1, CLOSEST);
  const by = to / view.scale;
  return within({ scale: to, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by }, room);
}

export function panBy(view: View, by: Point, room: Sizes): View {
  return within({ ...view, x: view.x + by.x, y: view.y + by.y }, room);
}

/** Keeps the image's edges outside the stage, and centres a side that fits. */
function within({ scale, x, y }: View, { picture, stage }: Sizes): View {
  const most = (side: keyof Size) => Math.max(0, (picture[side] * scale - stage[side]) / 2);
  return { scale, x: clamp(x, -most('width'), most('width')), y: clamp(y, -most('height'), most('height')) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
