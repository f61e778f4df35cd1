import { HistoryWriter } from '../proof/history.ts';
import { startLoad } from '../proof/load.ts';
import { Random } from '../proof/random.ts';
import type { Recorder } from '../proof/recorder.ts';
import type { People } from './people.ts';

/** Only for runs that hang. */
export const FLOW_WITHIN_MS = 180_000;
/** Pages that must connect again do it faster than in a browser. The others must not lose patience with a slow machine. */
export const FAST = 5;

export type RunOutput = { historyPath: string; log: (line: string) => void };
type Run = { random: Random; history: HistoryWriter };

/** Starts the history of a run. `messages` is how many each half of it waits for. */
export function startRun(historyPath: string, { seed, messages }: { seed: number; messages: number }): Run {
  const history = new HistoryWriter(historyPath);
  history.write({ type: 'run', seed, wantedSends: 2 * messages, wantedFaults: 0 });
  return { random: new Random(seed), history };
}

/** Everyone writes, until the returned function is called. */
export function startWriting(
  { random, history }: Run,
  all: readonly { people: People; recorder: Recorder }[],
  thinkMs: number,
): () => void {
  const loads = all.map(({ people: { devices }, recorder }, at) =>
    startLoad(devices, { random: random.fork(`load ${at}`), recorder, sends: 1e9, thinkMs }),
  );
  for (const { people } of all)
    for (const { conversation, name } of people.devices)
      history.write({ type: 'device', conversation, device: name });
  return () => {
    for (const load of loads) load.stop();
  };
}
