import { readdirSync, readFileSync } from 'node:fs';

/** The ids of all child processes that still exist, zombies included. Linux only. */
export function ownChildren(): string[] {
  return readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'latin1').trim().split(' ').filter(Boolean),
  );
}
