import * as v from 'valibot';

/** Parts of the admin area that can be outdated. */
export const Topic = v.picklist(['profile', 'staff', 'invites', 'conversations', 'messages', 'audit']);
export type Topic = v.InferOutput<typeof Topic>;

/** Data that the admin area shows has changed. Sent at most a few times a second. */
export const ManagementChanged = v.object({
  type: v.literal('managementChanged'),
  topics: v.array(Topic),
});
