import { createEmitter } from '../../../browser/createStore.ts';
import type { Clock } from '../../../net/clock.ts';
import type { Progress } from './upload.ts';

/** Minimum interval between notifications. The browser reports progress far more often. */
const NOTIFY_EVERY_MS = 250;

/** The progress of all uploads, throttled. */
export function uploadProgress(clock: Clock) {
  const changes = createEmitter();
  let now: Progress = new Map();
  /** The snapshot of the last notification. */
  let notified = now;
  let timer: unknown;

  function notify(): void {
    timer = undefined;
    if (notified === now) return;
    notified = now;
    timer = clock.setTimeout(notify, NOTIFY_EVERY_MS);
    changes.emit();
  }

  return {
    now: () => notified,
    subscribe: changes.subscribe,
    set(id: string, done: number): void {
      if (now.get(id) === done) return;
      now = new Map(now).set(id, done);
      if (timer === undefined) notify();
    },
    forget(id: string): void {
      now = new Map([...now].filter(([one]) => one !== id));
      notified = now;
    },
    stop(): void {
      clock.clearTimeout(timer);
      changes.clear();
    },
  };
}
