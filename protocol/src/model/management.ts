import * as v from 'valibot';

/** What an administrator's page can be told to read again. */
export const Topic = v.picklist(['profile', 'staff', 'invites', 'conversations', 'messages', 'audit']);
export type Topic = v.InferOutput<typeof Topic>;

/** Some of what the admin area shows is no longer as it was. At most a few times a second. */
export const ManagementChanged = v.object({
  type: v.literal('managementChanged'),
  topics: v.array(Topic),
});
