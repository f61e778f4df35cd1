/** For vi.waitFor on engines: a second, its own default, is little on a machine with much to do. */
export const soon = { timeout: 20_000, interval: 50 };
