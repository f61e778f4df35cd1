import type { App } from '../app.ts';
import { countNotes, readNotes } from '../db/notes.ts';
import { encode } from './encode.ts';
import type { Room } from './room.ts';

/**
 * Finds notes whose hint was lost. A note moves neither number nor revision of its conversation, both of which a visitor
 * is told: so notes are counted by themselves, in the rooms that somebody of the staff watches.
 */
export async function findLostNotes(app: App, rooms: Room[]): Promise<void> {
  const staffed = new Map<string, Room>();
  for (const room of rooms) {
    if (room.members.some(({ side }) => side === 'owner')) staffed.set(room.conversationId, room);
  }
  if (staffed.size === 0) return;
  for (const { id, handlerAlias, count } of await countNotes(app.db, [...staffed.keys()])) {
    const room = staffed.get(id);
    const missed = count - (room?.noteCount ?? count);
    if (room !== undefined && missed > 0) {
      const notes = await readNotes(app.db.sql, id);
      for (const note of notes.slice(-missed)) room.note(handlerAlias, encode({ type: 'note', note }));
    }
    if (room !== undefined) room.noteCount = count;
  }
}
