import { MESSAGE_PAGE, type Message } from '@settee/protocol/model/message';
import { join, joinOlder } from '../../chat/model/log.ts';

/** Maximum messages shown. */
export const WINDOW = 300;

/** The live log may exceed the window by this much, so that not every message moves the window. */
const SLACK = MESSAGE_PAGE;

/** Messages on each side of the reader that are never removed. */
const AROUND_READER = MESSAGE_PAGE;

/** Both are contiguous. */
export type ThreadWindow = {
  /** The live log, always up to the end. */
  log: readonly Message[];
  /** Shown instead, while the reader is away from the end. */
  away: readonly Message[] | undefined;
};

export function drawn({ log, away }: ThreadWindow): readonly Message[] {
  return away ?? log;
}

export function isDrawn(thread: ThreadWindow, seq: number): boolean {
  return holds(drawn(thread), seq);
}

/** Adds a page before the oldest message and removes the newest ones. */
export function withOlder(thread: ThreadWindow, page: readonly Message[], reader: number): ThreadWindow {
  const run = joinOlder({ messages: drawn(thread), aside: [] }, page).messages;
  return run === drawn(thread) ? thread : placed(thread, run, reader, 'newest');
}

/** Adds a page after the newest message and removes the oldest ones. Joins the live log if it can. */
export function withNewer(thread: ThreadWindow, page: readonly Message[], reader: number): ThreadWindow {
  if (!thread.away) return thread;
  return placed(thread, join({ messages: thread.away, aside: [] }, page).messages, reader, 'oldest');
}

/** Whether the next messages are in the live log. */
export function meetsLog({ log, away }: ThreadWindow): boolean {
  return !away || lastOf(away) >= firstOf(log) - 1;
}

/** A distant position: the pages before and after a message. */
export function wentTo(thread: ThreadWindow, seq: number, pages: readonly Message[]): ThreadWindow {
  const inLog = holds(thread.log, seq);
  const [first, ...rest] = inLog ? thread.log : pages;
  if (!first) return thread;
  const run = join({ messages: [first], aside: [] }, rest).messages;
  return holds(run, seq) ? placed(thread, run, seq, 'newest') : thread;
}

export function toNewest({ log }: ThreadWindow): ThreadWindow {
  return { log, away: undefined };
}

/** Cuts a live log that grew too long, where nobody is reading. */
export function trimmed(thread: ThreadWindow, reader: number): ThreadWindow {
  const { log, away } = thread;
  if (away || log.length <= WINDOW + SLACK) return thread;
  return placed(thread, log, reader, reader >= lastOf(log) ? 'oldest' : 'newest');
}

/** Cuts a run to the window's size, but not around the reader. A window that reaches the end is live. */
function placed(
  { log, away }: ThreadWindow,
  run: readonly Message[],
  reader: number,
  remove: 'newest' | 'oldest',
): ThreadWindow {
  const reachesLog = lastOf(run) >= firstOf(log) - 1;
  const whole = reachesLog ? [...run.filter(({ seq }) => seq < firstOf(log)), ...log] : run;
  const most = Math.max(0, whole.length - WINDOW);
  let start = remove === 'newest' ? 0 : most;
  if (holds(whole, reader)) {
    const place = reader - firstOf(whole);
    start = Math.min(Math.max(start, place + AROUND_READER + 1 - WINDOW), place - AROUND_READER);
  }
  start = Math.min(Math.max(start, 0), most);
  const end = start + WINDOW;
  if (reachesLog && end >= whole.length) return { log: whole.slice(start), away: undefined };
  // When leaving the end, keep the newest page to return to.
  return { log: away ? log : log.slice(-MESSAGE_PAGE), away: whole.slice(start, end) };
}

function firstOf(run: readonly Message[]): number {
  return run[0]?.seq ?? 0;
}

function lastOf(run: readonly Message[]): number {
  return run.at(-1)?.seq ?? 0;
}

function holds(run: readonly Message[], seq: number): boolean {
  return run.length > 0 && seq >= firstOf(run) && seq <= lastOf(run);
}
