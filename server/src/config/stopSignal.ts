import type { Log } from '../log/log.ts';

/**
 * Ends a process that is told to stop, once. To be called before anything else is waited for: as the first process of
 * a container, one is sent no signal that it does not listen for.
 */
export function onStopSignal(log: Log, end: () => void): { asked(): boolean } {
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    log.info({}, 'stopping');
    end();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return { asked: () => stopping };
}
