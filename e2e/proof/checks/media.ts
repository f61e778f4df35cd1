import type { WatchEvent } from '../history.ts';
import { type Checked, only } from './checked.ts';

/** No object without a row, no row of a ready image without its object, and every sent image is readable. */
export function checkMedia(events: readonly WatchEvent[]): Checked {
  const images = only(events, 'image');
  const [store] = only(events, 'store');
  const rows = store?.rows ?? [];
  const objects = new Set(store?.objects ?? []);
  const paths = new Set(rows.flatMap(([, , stagedPath, path]) => [stagedPath, path]));
  const sent = new Set(rows.filter(([, state, , , isSent]) => state === 'ready' && isSent).map(([id]) => id));
  const found = [
    ...[...objects].filter((path) => !paths.has(path)).map((path) => `${path} has no row`),
    ...rows
      .filter(([, state, , path]) => state === 'ready' && !objects.has(path))
      .map(([id]) => `image ${id} has no object`),
    ...images.filter(({ media }) => !sent.has(media)).map(({ media }) => `image ${media} has no message`),
    ...images.filter(({ readable }) => !readable).map(({ media }) => `image ${media} cannot be read`),
  ];
  const observed = `${images.length} images, ${rows.length} rows, ${objects.size} objects`;
  return { found, observed: images.length === 0 ? '' : observed };
}
