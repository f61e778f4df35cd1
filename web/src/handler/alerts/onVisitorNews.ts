import type { QueueRow } from '@settee/protocol/model/conversation';
import type { Console } from '../console.ts';
import { visitorNews } from './visitorNews.ts';

/** Tells, until it is called off, in which conversations of the desk a visitor has just written. */
export function onVisitorNews(
  console: Pick<Console, 'get' | 'subscribe'>,
  tell: (rows: QueueRow[]) => void,
): () => void {
  const news = visitorNews();
  let seen = console.get().queue;
  if (seen) news(seen);
  return console.subscribe(() => {
    const { queue } = console.get();
    if (!queue || queue === seen) return;
    seen = queue;
    const rows = news(queue);
    if (rows.length > 0) tell(rows);
  });
}
