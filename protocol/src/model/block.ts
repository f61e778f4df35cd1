import * as v from 'valibot';
import { cleanMessageText } from './cleanText.ts';
import { Time } from './ids.ts';

export const BLOCK_REASON_MAX = 200;

/** Why staff set or ended a block. Only for staff. */
export const BlockReason = v.pipe(
  v.string(),
  v.maxLength(BLOCK_REASON_MAX * 4),
  v.transform(cleanMessageText),
  v.minLength(1),
  v.maxLength(BLOCK_REASON_MAX),
);

/** An hour, a day, a week, thirty days. Without one, a block lasts until staff end it. */
export const BLOCK_HOURS = [1, 24, 168, 720] as const;
export const BlockHours = v.picklist(BLOCK_HOURS);
export type BlockHours = v.InferOutput<typeof BlockHours>;

/** A block, as staff see it. */
export const Block = v.object({
  /** Empty without a reason. */
  reason: v.string(),
  /** When it ends; null for never. */
  until: v.nullable(Time),
});
export type Block = v.InferOutput<typeof Block>;
