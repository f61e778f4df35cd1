import type { Log } from './log.ts';

/**
 * Calls `end` once, at the first SIGTERM or SIGINT. Call it before anything else: the first process of a container gets
 * no signals that it does not listen for.
 */
export function onStopSignal(log: Log, end: () => void): { requested(): boolean } {
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    log.info({}, 'stopping');
    end();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return { requested: () => stopping };
}
