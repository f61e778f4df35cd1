import * as v from 'valibot';
import { attempt } from '../../chat/model/attempt.ts';
import type { Drafts } from '../../chat/model/drafts.ts';
import { randomId } from '../../net/randomId.ts';

const Unsure = v.object({ id: v.string(), text: v.string() });

/** Stored beside the drafts, so that it survives a reload. */
const keyOf = (conversationId: string) => `${conversationId}:unsureNote`;

/** Keeps a note's id until the note is stored, so that the same text does not create a second note. */
export function noteIdFor(
  drafts: Drafts,
  conversationId: string,
  text: string,
  createId: () => string = randomId,
): string {
  const before = attempt(() => v.parse(Unsure, JSON.parse(drafts.read(keyOf(conversationId)))));
  const id = before?.text === text ? before.id : createId();
  storePendingNote(drafts, conversationId, { id, text });
  return id;
}

export function storePendingNote(
  drafts: Drafts,
  conversationId: string,
  note: v.InferOutput<typeof Unsure>,
): void {
  drafts.write(keyOf(conversationId), JSON.stringify(note));
}

export function clearPendingNote(drafts: Drafts, conversationId: string): void {
  drafts.write(keyOf(conversationId), '');
}
