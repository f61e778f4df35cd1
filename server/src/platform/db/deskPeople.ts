import { sql } from './query.ts';

/** Desks `d` with those who work there, `s`. */
export const DESK_PEOPLE = sql`desk_staff d
  join staff s on s.id = d.staff_id and s.active and s.role in ('handler', 'admin')`;

/** Orders the desks `d` of the person `staff`. */
export const FIRST_DESK_FIRST = sql`d.alias is distinct from staff.alias, d.alias collate "C"`;
