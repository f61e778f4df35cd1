import type { Note } from '@settee/protocol/model/note';
import { countNotes, readNotesAndDesk } from '../conversations/notes.store.ts';
import type { App } from '../platform/app.ts';
import { encode } from './connection.ts';
import { LATE_SECONDS, type Room } from './room.ts';

/** Quotes inside a text are escaped, so this finds the note's id. */
const NOTE_ID = /"id":"([^"]+)"/;

/** Called when the first console enters a room. It reads the notes itself; later ones are found by the sweep. */
export async function startNoteCount(app: App, room: Room): Promise<void> {
  if (room.noteCount !== undefined) return;
  const [now] = await countNotes(app.db, [room.conversationId]);
  room.noteCount ??= now?.count;
}

/** Delivers a note, from this gateway or from the bus, and remembers it for the sweep. */
export function deliverNote(room: Room, alias: string, frame: Buffer): void {
  room.sendNote(alias, frame);
  const [, id] = NOTE_ID.exec(frame.toString()) ?? [];
  if (id === undefined) return;
  room.deliveredNotes ??= new Set();
  room.deliveredNotes.add(id);
}

/**
 * Finds notes whose hint was lost, by comparing counts in the rooms with staff. A note changes neither head nor revision
 * of its conversation, because visitors see both. All notes since the last sweep are sent again, because a console may
 * have entered meanwhile. The metric counts only those that were not delivered live.
 */
export async function findMissedNotes(app: App, rooms: Room[]): Promise<void> {
  const staffed = new Map<string, Room>();
  for (const room of rooms) {
    if (room.members.some(({ side }) => side === 'owner')) staffed.set(room.conversationId, room);
    else room.noteCount = room.deliveredNotes = undefined;
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
  const now = await readNotesAndDesk(app.db, room.conversationId);
  const since = now.count - (room.noteCount ?? now.count);
  room.noteCount = now.count;
  if (since <= 0) return;
  const added = now.notes.slice(-since);
  const missed = added.filter(({ id }) => room.deliveredNotes?.delete(id) !== true);
  const age = (note: Note): number => app.databaseClock.secondsSince(note.createdAt) ?? 0;
  const late = missed.filter((note) => age(note) > LATE_SECONDS);
  app.metrics.swept('note', late.length);
  for (const note of added) room.sendNote(now.handlerAlias, encode({ type: 'note', note }));
}
