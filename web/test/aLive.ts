import type { Live } from '../src/net/live.ts';

/** An open connection that does nothing. `parts` replace that. */
export function aLive(parts: Partial<Live>): Live {
  return {
    status: () => 'open',
    dead: () => false,
    traced: () => false,
    endReason: () => undefined,
    probe() {},
    send() {},
    onFrame: () => () => {},
    onStatus: () => () => {},
    stop() {},
    ...parts,
  };
}
