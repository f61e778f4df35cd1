import { accessTo } from '../../access.ts';
import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { handOver } from './handOver.ts';

/** Hands the conversation over to another desk, with a note for whoever takes over. */
export async function transfer(
  app: App,
  staff: Staff,
  conversationId: string,
  handover: { alias: string; note: string },
): Promise<void> {
  await accessTo(app, staff, conversationId);
  const done = await handOver(app, staff, conversationId, handover);
  if (done === 'gone') throw new Refusal('not_found');
  if (done === 'there') throw new Refusal('bad_request', 'The conversation is at this desk already');
}
