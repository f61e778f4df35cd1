import { listDueSoon, postponeMails } from '../mail/visitorMails.store.ts';
import type { App } from '../platform/app.ts';
import { repeatEvery } from '../platform/limits/repeatEvery.ts';
import { logFailure } from '../platform/log/log.ts';
import type { Rooms } from './rooms.ts';

/** A mail is due for at least a minute before it is sent, so several of these come before it. */
const EVERY_MS = 10_000;

/**
 * Postpones mails to visitors who have a page open at this gateway. Only gateways know that, and nothing is stored about
 * it: few mails are due, so each gateway looks whether one concerns its visitors.
 */
export function startMailPresence(app: App, rooms: Rooms): { stop(): Promise<void> } {
  return repeatEvery(app.clock, EVERY_MS, () =>
    logFailure(app.log, 'due mails not read', () => postponeForPresent(app, rooms)),
  );
}

export async function postponeForPresent(app: Pick<App, 'db'>, rooms: Pick<Rooms, 'get'>): Promise<void> {
  const due = await listDueSoon(app.db);
  const present = due.filter((conversationId) => rooms.get(conversationId)?.hasVisitor());
  if (present.length > 0) await postponeMails(app.db, present);
}
