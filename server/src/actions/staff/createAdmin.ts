import type { App } from '../../app.ts';
import { createAccount, type NewPerson } from './createAccount.ts';

/** Someone who may do everything, at any desk. */
export async function createAdmin(app: Pick<App, 'db'>, person: NewPerson, actor: string): Promise<void> {
  await createAccount(app, { ...person, role: 'admin', alias: null }, actor);
}
