import type { App } from '../../app.ts';
import { createAccount, type NewPerson } from './createAccount.ts';

/** Someone who answers at one desk. The desk is made if there is none of that name yet. */
export async function createHandler(
  app: Pick<App, 'db'>,
  person: NewPerson & { alias: string },
  actor: string,
): Promise<void> {
  await createAccount(app, { ...person, role: 'handler' }, actor);
}
