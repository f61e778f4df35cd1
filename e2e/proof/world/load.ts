import type { Random } from '../random.ts';
import type { Device, Recorder } from './recorder.ts';
import { until } from './time.ts';

/** A device with this many unacknowledged messages waits. */
const UNACKED_MAX = 6;
/** The chance that a device that thinks also looks at what it shows. */
const LOOK_CHANCE = 0.05;
/** After the wanted number of messages the load continues, but lighter. */
const LIGHTER = 1.8;

/** Every device writes at its own pace, until the returned function is called. */
export function startLoad(
  devices: readonly Device[],
  options: {
    random: Random;
    recorder: Recorder;
    sends: number;
    /** The average time between two messages of a device. */
    thinkMs: number;
  },
): () => void {
  const { random, recorder, sends, thinkMs } = options;
  let stopped = false;
  const timers = new Set<NodeJS.Timeout>();
  const next = (device: Device, own: Random): void => {
    const think = recorder.attemptedCount < sends * 1.02 ? thinkMs : thinkMs * LIGHTER;
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (stopped) return;
      if (device.unacked() < UNACKED_MAX) device.write();
      if (own.chance(LOOK_CHANCE)) device.look();
      next(device, own);
    }, own.until(think));
    timers.add(timer);
  };
  for (const device of devices) next(device, random.fork(`${device.name} ${device.conversation}`));
  return () => {
    stopped = true;
    for (const timer of timers) clearTimeout(timer);
  };
}

/** Returns the devices that have not sent and received everything. */
export async function waitForRest(
  devices: readonly Device[],
  recorder: Recorder,
  withinMs: number,
): Promise<string[]> {
  const unfinished = (): Device[] =>
    devices.filter((device) => !device.isIdle() || device.lastSeq() < recorder.head(device.conversation));
  await until(() => unfinished().length === 0, withinMs);
  return unfinished().map((device) => `${device.describe()} of ${recorder.head(device.conversation)}`);
}
