import type { App } from '../../app.ts';
import type { Staff } from '../../caller.ts';
import { demandNotOneself } from './peopleRules.ts';
import { resetFactor } from './resetFactor.ts';

/** By an administrator, for somebody else: whoever has an own factor to show takes it away in their own settings. */
export async function resetFactorOf(
  app: Pick<App, 'config' | 'db' | 'announce'>,
  staff: Staff,
  id: string,
): Promise<void> {
  demandNotOneself(staff, id);
  await resetFactor(app, id, staff);
  app.announce.accessChanged();
}
