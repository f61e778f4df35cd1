import { createEmitter } from '../../../browser/createStore.ts';
import type { Clock } from '../../../net/clock.ts';
import type { Progress } from './upload.ts';

/** Minimum interval between notifications. The browser reports progress far more often. */
const TELL_EVERY_MS = 250;

/** The progress of all uploads, throttled. */
export function uploadProgress(clock: Clock) {
  const changes = createEmitter();
  let now: Progress = new Map();
  /** The snapshot of the last notification. */
  let told = now;
  let timer: unknown;

  function tell(): void {
    timer = undefined;
    if (told === now) return;
    told = now;
    timer = clock.setTimeout(tell, TELL_EVERY_MS);
    changes.emit();
  }

  return {
    now: () => told,
    subscribe: changes.subscribe,
    set(id: string, done: number): void {
      if (now.get(id) === done) return;
      now = new Map(now).set(id, done);
      if (timer === undefined) tell();
    },
    forget(id: string): void {
      now = new Map([...now].filter(([one]) => one !== id));
      told = now;
    },
    stop(): void {
      clock.clearTimeout(timer);
      changes.clear();
    },
  };
}
