import { setTimeout as sleep } from 'node:timers/promises';
import { signal } from '../../tools/engines/process.ts';
import type { Event } from '../proof/causeFaults.ts';
import { newPrimary } from './faults.ts';
import type { Region } from './stage.ts';

const LAG_MS = 2_000;

/** Kills primaries whose standbys lag. Without a synchronous standby, acknowledged messages are lost. */
export function* planLosses(region: Region): Generator<Event<string>> {
  for (;;) yield { kinds: ['primary killed, standbys lag'], cause: () => killAhead(region) };
}

async function killAhead(region: Region): Promise<string> {
  const { databases } = region;
  const victim = await databases.leader();
  if (victim === undefined) throw new Error('there is no primary');
  // They send the standbys what the primary wrote.
  for (const { pid, command } of victim.machine.processes())
    if (command.includes('walsender')) signal(pid, 'SIGSTOP');
  await sleep(LAG_MS);
  await victim.machine.kill();
  const note = await newPrimary(region, victim);
  databases.start(victim);
  await databases.waitUntilHealthy();
  return note;
}
