import type { App } from '../app.ts';
import { countNotes, readNotesAndDesk } from '../db/notes.ts';
import { encode } from './encode.ts';
import type { Room } from './room.ts';

/** The first console in a room reads the notes by itself; from here on the sweep looks after them. */
export async function beginCounting(app: App, room: Room): Promise<void> {
  if (room.noteCount !== undefined) return;
  const [now] = await countNotes(app.db, [room.conversationId]);
  room.noteCount ??= now?.count;
}

/**
 * Finds notes whose hint was lost. A note moves neither number nor revision of its conversation, both of which a visitor
 * is told: so notes are counted by themselves, in the rooms that somebody of the staff watches. All that were added
 * since the last look go out again, heard of or not: a number does not say which of them was missed.
 */
export async function findLostNotes(app: App, rooms: Room[]): Promise<void> {
  const staffed = new Map<string, Room>();
  for (const room of rooms) {
    if (room.members.some(({ side }) => side === 'owner')) staffed.set(room.conversationId, room);
    else room.noteCount = undefined;
  }
  if (staffed.size === 0) return;
  for (const { id, count } of await countNotes(app.db, [...staffed.keys()])) {
    const room = staffed.get(id);
    if (room === undefined) continue;
    if (count > (room.noteCount ?? count)) await resend(app, room);
    else room.noteCount = count;
  }
}

async function resend(app: App, room: Room): Promise<void> {
  const now = await readNotesAndDesk(app.db.sql, room.conversationId);
  const since = now.count - (room.noteCount ?? now.count);
  room.noteCount = now.count;
  if (since <= 0) return;
  app.metrics.swept('note', since);
  for (const note of now.notes.slice(-since)) room.note(now.handlerAlias, encode({ type: 'note', note }));
}
