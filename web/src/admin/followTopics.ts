import type { Topic } from '@settee/protocol/model/management';
import type { Clock } from '../net/clock.ts';
import { type ThrottledRefetch, throttleRefetch } from './throttleRefetch.ts';

/** Far down in one of these lists, every page above is read again: not for each of the news of a busy installation. */
const RESTS_MS: Partial<Record<Topic, number>> = { audit: 2_000, invites: 2_000, conversations: 1_000 };

/** Has a topic read again when there is news about it. */
export function followTopics(
  read: (topic: Topic) => Promise<unknown>,
  clock: Clock,
): { follow(topic: Topic): void; stop(): void } {
  const followed = new Map<Topic, ThrottledRefetch>();
  return {
    follow(topic) {
      const restMs = RESTS_MS[topic];
      if (restMs === undefined) return void read(topic);
      const news = followed.get(topic) ?? throttleRefetch(() => read(topic), clock, restMs);
      followed.set(topic, news);
      news.came();
    },
    stop() {
      for (const news of followed.values()) news.stop();
    },
  };
}
