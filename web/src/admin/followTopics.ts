import type { Topic } from '@settee/protocol/management';
import { atMostEvery } from './atMostEvery.ts';

/** Far down in one of these lists, every page above is read again: not for each of the news of a busy installation. */
const LONG_LISTS: readonly Topic[] = ['audit', 'invites'];
const LONG_LISTS_EVERY_MS = 2_000;

/** Has a topic read again when there is news about it. */
export function followTopics(read: (topic: Topic) => void): (topic: Topic) => void {
  const unhurried = new Map(
    LONG_LISTS.map((topic) => [topic, atMostEvery(LONG_LISTS_EVERY_MS, () => read(topic))]),
  );
  return (topic) => (unhurried.get(topic) ?? (() => read(topic)))();
}
