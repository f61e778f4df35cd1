export const BACK_WITHIN_MS = 10_000;
export const STALL_MAX_MS = 4_000;

/** Properties that only the run can check. The checker checks the others. */
export const liveProperties = {
  back: `every page is connected and up to date again within ${BACK_WITHIN_MS / 1_000} s of its socket's close`,
  exits: 'a process that gets SIGTERM ends in time with code 0',
  clients: 'no page shows an error, is permanently refused or is signed out',
  presence: 'no desk appears offline while its handler is connected',
  unready: 'a gateway with missing migrations reports it and gets no clients; the previous release continues',
  stall: `the migration delays no message by more than ${STALL_MAX_MS / 1_000} s`,
  sides: 'both releases store messages at the same time',
  rest: 'at the end every outbox is empty and every page has all messages',
  ends: 'no process ends unexpectedly',
} as const;
export type LiveProperty = keyof typeof liveProperties;
