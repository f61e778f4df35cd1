// What the schemas cannot express about a call: its area, its purpose and its refusals.
import type { CallName } from '../../protocol/src/calls/http.ts';
import { adminNotes } from './adminNotes.ts';
import type { CallNote } from './callers.ts';
import { staffNotes } from './staffNotes.ts';
import { visitorNotes } from './visitorNotes.ts';

/** By area, in the order of the description. */
export const areas = { ...visitorNotes, ...staffNotes, ...adminNotes } as const;

type Areas = typeof areas;
type Described = { [A in keyof Areas]: keyof Areas[A] }[keyof Areas];

/** Does not compile while a call has no note: add a line for it to one of the three files above. */
export const notes: Record<CallName, CallNote> = Object.assign({}, ...Object.values(areas)) as Record<
  Described,
  CallNote
>;
