import * as v from 'valibot';
import { Doing } from '../model/colleague.ts';
import { QueueRow, StaffConversation } from '../model/conversation.ts';
import { Uuid } from '../model/ids.ts';
import { ManagementChanged } from '../model/management.ts';
import { Note } from '../model/note.ts';
import { OwnProfile } from '../model/profile.ts';
import { QueueCounts, QueueShow } from '../model/queue.ts';
import { Alias, HeldDesk, StaffClaims } from '../model/staff.ts';
import { defaultSettings, StaffSettings } from '../model/staffSettings.ts';
import { commonFrames, conversationFrame, greeting, watchedFrame } from './downFrames.ts';

/** The desk that a frame is about. Only for a console that watches several: it gets one `queue` for each. */
const desk = { alias: v.optional(Alias) };

/** Every frame that a console can receive. Separate, so that the visitor's page does not load it. */
export const StaffDown = v.variant('type', [
  ...commonFrames,
  conversationFrame(StaffConversation),
  watchedFrame(StaffConversation),
  /** Answers `watchQueue`: the open conversations of the alias, newest first. With `counts`, only the first page. */
  v.object({ type: v.literal('queue'), ...desk, rows: v.array(QueueRow), counts: v.optional(QueueCounts) }),
  /** New or changed rows of the whole queue, and conversations that left it. */
  v.object({
    type: v.literal('queueChange'),
    ...desk,
    rows: v.array(QueueRow),
    gone: v.array(Uuid),
    counts: v.optional(QueueCounts),
  }),
  /** Answers `queuePage`. With `more: false`, this is the end of the list. */
  v.object({
    type: v.literal('queuePage'),
    ...desk,
    show: QueueShow,
    rows: v.array(QueueRow),
    more: v.boolean(),
  }),
  /** Conversations of the queue whose visitors opened a page or closed their last one. After `queue`: all of them. */
  v.object({ type: v.literal('visitors'), ...desk, here: v.array(Uuid), left: v.array(Uuid) }),
  /** A new internal note. Sent only to the desk's consoles. */
  v.object({ type: v.literal('note'), note: Note }),
  /** A colleague is in a conversation of the desk. The console removes them if no further frame arrives. */
  v.object({
    type: v.literal('colleague'),
    conversationId: Uuid,
    staffId: Uuid,
    name: v.string(),
    doing: Doing,
  }),
  /** Whether this person counts as there; also when another of their windows changed it. */
  v.object({
    type: v.literal('availability'),
    away: v.boolean(),
    /** As in StaffClaims. */
    desks: v.optional(v.array(HeldDesk)),
  }),
  ManagementChanged,
  /** The `profiles` of `welcome`, whenever they change. */
  v.object({ type: v.literal('profiles'), profiles: v.array(OwnProfile) }),
  /** Settings for consoles. Never sent to a visitor. */
  v.object({ type: v.literal('settings'), settings: StaffSettings }),
  v.object({
    ...greeting,
    staff: v.optional(StaffClaims),
    away: v.optional(v.boolean(), false),
    settings: v.optional(StaffSettings, defaultSettings),
    /** The profiles of all desks of the person, in the order of the desks. Omitted if they all have the first one. */
    profiles: v.optional(v.array(OwnProfile)),
    /** The gateway accepts `paged` in `watchQueue`. */
    queuePages: v.optional(v.boolean()),
  }),
]);
export type StaffDown = v.InferOutput<typeof StaffDown>;
