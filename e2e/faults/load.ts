import type { Random } from './random.ts';
import type { Device, Recorder } from './recorder.ts';

/** A device that has this many messages unacknowledged waits. */
const UNACKED_MAX = 6;
/** Between two messages of one device, on average. */
const THINK_MS = 220;
/** Once the wanted volume is reached, the rest of the faults still happens under load, but a lighter one. */
const THINK_MS_AFTER = 400;

/** Everybody writes, each at their own pace, until they are told to stop. */
export function startLoad(
  devices: readonly Device[],
  options: { random: Random; recorder: Recorder; sends: number },
): { stop(): void } {
  const { random, recorder, sends } = options;
  let stopped = false;
  const timers = new Set<NodeJS.Timeout>();
  const next = (device: Device, own: Random): void => {
    const think = recorder.attemptedCount < sends * 1.02 ? THINK_MS : THINK_MS_AFTER;
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (stopped) return;
      if (device.unacked() < UNACKED_MAX) device.write();
      next(device, own);
    }, own.until(think));
    timers.add(timer);
  };
  for (const device of devices) next(device, random.fork(`${device.name} ${device.conversation}`));
  return {
    stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
