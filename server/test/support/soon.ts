/** For vi.waitFor on engines: its default of one second is too short on a busy machine. */
export const soon = { timeout: 60_000, interval: 50 };
