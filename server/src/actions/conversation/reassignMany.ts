import type { App } from '../../app.ts';
import type { Staff } from '../../caller.ts';
import { eachOf } from './eachOf.ts';
import { handOver } from './handOver.ts';

/**
 * Hands each of them over. What is gone, or at that desk already, is answered and stops nothing; a desk where nobody
 * answers (any more) stops it all.
 */
export async function reassignMany(
  app: App,
  staff: Staff,
  { ids, ...handover }: { ids: readonly string[]; alias: string; note: string },
): Promise<{ moved: number; missed: string[] }> {
  const { done, missed } = await eachOf(
    ids,
    async (id) => (await handOver(app, staff, id, handover)) === 'moved',
  );
  return { moved: done, missed };
}
