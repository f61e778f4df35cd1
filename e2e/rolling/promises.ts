export const BACK_WITHIN_MS = 10_000;
export const STALL_MAX_MS = 4_000;

/** Properties that only the run can check. The checker checks the others. */
export const liveProperties = {
  back: `every page is back, greeted and caught up, within ${BACK_WITHIN_MS / 1_000} s of its socket's close`,
  exits: 'whoever is asked to stop ends by itself, in time, with 0',
  clients: 'no page shows an error, is refused for good or is sent away',
  presence: 'no desk is called offline while its person is there',
  unready: 'a gateway whose migrations are missing says so and is given nobody; the release before goes on',
  stall: `the migration keeps no message waiting for more than ${STALL_MAX_MS / 1_000} s`,
  sides: 'both releases store messages side by side',
  rest: 'in the end every outbox is empty and every screen complete',
  ends: 'nothing ends by itself',
} as const;
export type LiveProperty = keyof typeof liveProperties;
