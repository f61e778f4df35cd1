import type { Note } from '@settee/protocol/model/note';
import type { App } from '../app.ts';
import { countNotes, readNotesAndDesk } from '../db/conversation/notes.ts';
import { encode } from './encode.ts';
import { LATE_SECONDS, type Room } from './room.ts';

/** In the frame of a note. Quotes inside of a text are escaped there. */
const NOTE_ID = /"id":"([^"]+)"/;

/** The first console in a room reads the notes by itself; from here on the sweep looks after them. */
export async function beginCounting(app: App, room: Room): Promise<void> {
  if (room.noteCount !== undefined) return;
  const [now] = await countNotes(app.db, [room.conversationId]);
  room.noteCount ??= now?.count;
}

/** A note that was told, here or on the bus: no sweep has found it. */
export function hearNote(room: Room, alias: string, frame: Buffer): void {
  room.note(alias, frame);
  const [, id] = NOTE_ID.exec(frame.toString()) ?? [];
  if (id === undefined) return;
  room.heardNotes ??= new Set();
  room.heardNotes.add(id);
}

/**
 * Finds notes whose hint was lost. A note moves neither number nor revision of its conversation, both of which a visitor
 * is told: so notes are counted by themselves, in the rooms that somebody of the staff watches. All that were added
 * since the last look go out again, heard of or not: somebody may have come into the room in between. Counted as found
 * are those alone of which nothing was heard.
 */
export async function findLostNotes(app: App, rooms: Room[]): Promise<void> {
  const staffed = new Map<string, Room>();
  for (const room of rooms) {
    if (room.members.some(({ side }) => side === 'owner')) staffed.set(room.conversationId, room);
    else room.noteCount = room.heardNotes = undefined;
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
  const added = now.notes.slice(-since);
  const missed = added.filter(({ id }) => room.heardNotes?.delete(id) !== true);
  const age = (note: Note): number => app.databaseClock.secondsSince(note.createdAt) ?? 0;
  const late = missed.filter((note) => age(note) > LATE_SECONDS);
  app.metrics.swept('note', late.length);
  for (const note of added) room.note(now.handlerAlias, encode({ type: 'note', note }));
}
