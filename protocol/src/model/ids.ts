import * as v from 'valibot';

/** Every id on the wire is a lower-case UUID, so that validation, indexes and logs need only one format. */
export const Uuid = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'must be a UUID'),
);

/** A message's number in its conversation; 0 means "before the first". */
export const Seq = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2_147_483_647));

/** Milliseconds since 1970, by the database's clock. */
export const Time = v.pipe(v.number(), v.integer());

/** A time and an id: the end of the previous page of a list. `parseCursor` of the server reads it. */
export const Cursor = v.pipe(v.string(), v.regex(/^[0-9]{1,16}_[0-9a-f-]{36}$/));
