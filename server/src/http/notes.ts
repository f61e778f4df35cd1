import { addNote } from '../actions/conversation/addNote.ts';
import { accessToRead } from '../actions/conversation/recordView.ts';
import type { App } from '../app.ts';
import { readNotes } from '../db/conversation/notes.ts';
import { conversationIdOf } from './conversations.ts';
import type { Routes } from './route.ts';

export function noteRoutes(app: App): Pick<Routes, 'readNotes' | 'addNote'> {
  return {
    async readNotes({ caller, params }) {
      const { conversation } = await accessToRead(app, caller, conversationIdOf(params));
      return { success: true, notes: await readNotes(app.db.sql, conversation.id) };
    },
    async addNote({ caller, params, body }) {
      const note = await addNote(app, caller, { conversationId: conversationIdOf(params), ...body });
      return { success: true, note };
    },
  };
}
