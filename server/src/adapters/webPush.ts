import type { Config } from '../config.ts';
import type { Clock, PushSender } from '../ports.ts';

/** Web Push with the installation's key; undefined where it has none. */
export function openPush(_config: Config, _clock: Clock): PushSender | undefined {
  return undefined;
}
