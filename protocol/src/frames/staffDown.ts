import * as v from 'valibot';
import { Doing } from '../model/colleague.ts';
import { QueueRow, StaffConversation } from '../model/conversation.ts';
import { Uuid } from '../model/ids.ts';
import { ManagementChanged } from '../model/management.ts';
import { Note } from '../model/note.ts';
import { StaffClaims } from '../model/staff.ts';
import { defaultSettings, StaffSettings } from '../model/staffSettings.ts';
import { commonFrames, conversationFrame, greeting, watchedFrame } from './downFrames.ts';

/** Answers `watchQueue`: the open conversations of the alias, newest first. */
const Queue = v.object({ type: v.literal('queue'), rows: v.array(QueueRow) });

/** New or changed rows, and conversations that left the queue. */
const QueueChange = v.object({
  type: v.literal('queueChange'),
  rows: v.array(QueueRow),
  gone: v.array(Uuid),
});

/** Conversations of the queue whose visitors opened a page or closed their last one. After `queue`: all of them. */
const Visitors = v.object({ type: v.literal('visitors'), here: v.array(Uuid), left: v.array(Uuid) });

/** A new internal note. Sent only to the desk's consoles. */
const NoteDown = v.object({ type: v.literal('note'), note: Note });

/** A colleague is in the conversation. The console removes them if no further frame arrives. */
const Colleague = v.object({
  type: v.literal('colleague'),
  conversationId: Uuid,
  staffId: Uuid,
  name: v.string(),
  doing: Doing,
});

/** Whether this person counts as there; also when another of their windows changed it. */
const Availability = v.object({ type: v.literal('availability'), away: v.boolean() });

/** Settings for consoles. Never sent to a visitor. */
const Settings = v.object({ type: v.literal('settings'), settings: StaffSettings });

/** Every frame that a console can receive. Separate, so that the visitor's page does not load it. */
export const StaffDown = v.variant('type', [
  ...commonFrames,
  conversationFrame(StaffConversation),
  watchedFrame(StaffConversation),
  Queue,
  QueueChange,
  Visitors,
  NoteDown,
  Colleague,
  Availability,
  ManagementChanged,
  Settings,
  v.object({
    ...greeting,
    staff: v.optional(StaffClaims),
    away: v.optional(v.boolean(), false),
    settings: v.optional(StaffSettings, defaultSettings),
  }),
]);
export type StaffDown = v.InferOutput<typeof StaffDown>;
