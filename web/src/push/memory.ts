import * as v from 'valibot';
import { attempt } from '../chat/attempt.ts';
import { chooseNotices, wantsNotices } from './notices.ts';

const KEY = 'push';

/**
 * Whom this browser is told for, at which address, and when the server last heard of it. A browser has one address,
 * so it tells one person: who enabled it last. For the other it is off.
 */
const Told = v.object({
  side: v.picklist(['visitor', 'staff']),
  id: v.string(),
  endpoint: v.string(),
  at: v.number(),
});
export type Told = v.InferOutput<typeof Told>;

/** What this browser remembers of notifications. */
export type Memory = {
  read(): Told | null;
  write(told: Told): void;
  forget(): void;
  /** Notices while a page is open: all there is where the installation sends no pushes. */
  wantsNotices(): boolean;
  chooseNotices(wanted: boolean): void;
};

export const browserMemory: Memory = {
  read() {
    const stored = attempt(() => JSON.parse(localStorage.getItem(KEY) ?? 'null') as unknown);
    const told = v.safeParse(Told, stored);
    return told.success ? told.output : null;
  },
  write: (told) => attempt(() => localStorage.setItem(KEY, JSON.stringify(told))),
  forget: () => attempt(() => localStorage.removeItem(KEY)),
  wantsNotices,
  chooseNotices,
};
