import { useSyncExternalStore } from 'react';
import { systemClock } from '../../net/clock.ts';
import { useAdmin } from '../context.ts';
import type { LiveAdmin } from '../liveAdmin.ts';
import { type BatchRun, type BatchState, batchRun } from './batchRun.ts';

/** By session: links that one person made are not there for who signs in next. */
const runs = new WeakMap<LiveAdmin, BatchRun>();

/** The one batch of this tab, which goes on while other places are on show. */
export function useBatch(): { run: BatchRun; state: BatchState } {
  const { session, live } = useAdmin();
  let run = runs.get(live);
  if (!run) {
    run = batchRun({
      create: (body) => session.api('createInvites', { body }),
      clock: systemClock,
      random: Math.random,
      uuid: () => crypto.randomUUID(),
    });
    askBeforeLeaving(run);
    runs.set(live, run);
  }
  return { run, state: useSyncExternalStore(run.subscribe, run.get) };
}

/** While invites are being made, and until their links are kept somewhere: nobody can show them again. */
function askBeforeLeaving(run: BatchRun): void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  run.subscribe(() => {
    const { phase, made, saved } = run.get();
    if (phase === 'running' || (made.length > 0 && !saved)) addEventListener('beforeunload', ask);
    else removeEventListener('beforeunload', ask);
  });
}
