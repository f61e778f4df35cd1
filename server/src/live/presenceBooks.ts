import { endPresence, endStaffPresence, holdPresence, holdStaffPresence } from '../db/staff/presence.ts';
import type { PresenceBook } from './presence.ts';

/** The desks at which visitors may count on somebody. */
export const deskBook: PresenceBook = {
  hold: holdPresence,
  end: endPresence,
  changed: (announce) => announce.presenceChanged(),
};

/** The people who have a page open, away or not: for administrators alone. */
export const peopleBook: PresenceBook = {
  hold: holdStaffPresence,
  end: endStaffPresence,
  changed: (announce) => announce.managementChanged('staff'),
};
