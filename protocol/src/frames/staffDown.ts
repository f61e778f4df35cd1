import * as v from 'valibot';
import { Doing } from '../model/colleague.ts';
import { QueueRow, StaffConversation } from '../model/conversation.ts';
import { Uuid } from '../model/ids.ts';
import { ManagementChanged } from '../model/management.ts';
import { Note } from '../model/note.ts';
import { StaffClaims } from '../model/staff.ts';
import { defaultSettings, StaffSettings } from '../model/staffSettings.ts';
import { commonFrames, conversationFrame, greeting, watchedFrame } from './downFrames.ts';

/** Answers `watchQueue`: the alias's open conversations, newest first. */
const Queue = v.object({ type: v.literal('queue'), rows: v.array(QueueRow) });

/** Rows that came or changed, and conversations that left the queue. */
const QueueChange = v.object({
  type: v.literal('queueChange'),
  rows: v.array(QueueRow),
  gone: v.array(Uuid),
});

/** Conversations of the queue whose visitors have opened a page, or left their last one. After `queue`, all of them. */
const Visitors = v.object({ type: v.literal('visitors'), here: v.array(Uuid), left: v.array(Uuid) });

/** A new internal note. It goes to the desk's consoles only. */
const NoteDown = v.object({ type: v.literal('note'), note: Note });

/** Somebody else of the staff is in the conversation. The screen forgets it when nothing more is heard. */
const Colleague = v.object({
  type: v.literal('colleague'),
  conversationId: Uuid,
  staffId: Uuid,
  name: v.string(),
  doing: Doing,
});

/** Whether this person counts as there; also when another of their windows changed it. */
const Availability = v.object({ type: v.literal('availability'), away: v.boolean() });

/** What an administrator set for consoles. No visitor hears of it. */
const Settings = v.object({ type: v.literal('settings'), settings: StaffSettings });

/** All that a console can be told: apart, so that a visitor's page does not carry it. */
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
