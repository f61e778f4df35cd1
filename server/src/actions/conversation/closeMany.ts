import type { App } from '../../app.ts';
import type { Staff } from '../../caller.ts';
import { changeStatus } from './changeStatus.ts';
import { eachOf } from './eachOf.ts';

/** Closes those that are open; the others are answered as missed, and stay as they are. */
export async function closeMany(
  app: App,
  staff: Staff,
  ids: readonly string[],
): Promise<{ closed: number; missed: string[] }> {
  const { done, missed } = await eachOf(ids, (id) =>
    changeStatus(app, staff, id, { status: 'closed', from: 'open' }),
  );
  return { closed: done, missed };
}
