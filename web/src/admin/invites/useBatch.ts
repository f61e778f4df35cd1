import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { useSyncExternalStore } from 'react';
import { systemClock } from '../../net/clock.ts';
import { randomId } from '../../net/randomId.ts';
import type { SessionStore } from '../../staff/session.ts';
import { useAdmin } from '../context.ts';
import type { LiveAdmin } from '../liveAdmin.ts';
import { warnBeforeLeaving } from '../parts/unsavedWork.ts';
import { type BatchRun, type BatchState, batchRun } from './batchRun.ts';

/** One per session, so that links are never shown to the next person. */
const runs = new WeakMap<LiveAdmin, BatchRun>();

/** The tab's batch. It continues while other pages are shown. */
export function useBatch(): { run: BatchRun; state: BatchState } {
  const { session, live } = useAdmin();
  let run = runs.get(live);
  if (!run) {
    run = batchRun({
      create: (body) => session.api('createInvites', { body }),
      clock: systemClock,
      random: Math.random,
      uuid: randomId,
    });
    askUntilKept(run, session);
    runs.set(live, run);
  }
  return { run, state: useSyncExternalStore(run.subscribe, run.get) };
}

/**
 * Warns before leaving while a batch runs or its links are unsaved. When the session ends, the links are lost
 * and the warning ends too.
 */
function askUntilKept(run: BatchRun, session: SessionStore): void {
  let release: (() => void) | undefined;
  function look(): void {
    const { phase, made, saved, stopping } = run.get();
    const running = phase === 'running';
    const signedIn = session.get().phase === 'ready';
    if (signedIn && (running || (made.length > 0 && !saved))) {
      release ??= warnBeforeLeaving({ title: texts.dropLinksTitle, note: texts.dropNote });
    } else {
      release?.();
      release = undefined;
    }
    if (signedIn) return;
    forget();
    if (running && !stopping) run.stop();
  }
  run.subscribe(look);
  const forget = session.subscribe(look);
}
