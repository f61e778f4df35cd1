import { MESSAGE_PAGE, type Message } from '@settee/protocol/model/message';
import { join, joinOlder } from '../../chat/model/log.ts';

/** At most so many messages are drawn, however long the conversation is. */
export const WINDOW = 300;

/** The live log may grow by so much before it is cut: else each new message would move the window. */
const SLACK = MESSAGE_PAGE;

/** So many messages on either side of the reader are never taken away. */
const AROUND_READER = MESSAGE_PAGE;

/** Both are runs of messages without a gap. */
export type ThreadWindow = {
  /** The live log, which always reaches the conversation's end. */
  log: readonly Message[];
  /** What is drawn instead while somebody reads away from that end. */
  away: readonly Message[] | undefined;
};

export function drawn({ log, away }: ThreadWindow): readonly Message[] {
  return away ?? log;
}

export function isDrawn(thread: ThreadWindow, seq: number): boolean {
  return holds(drawn(thread), seq);
}

/** Puts the page before the oldest message drawn; the newest ones are let go for it. */
export function withOlder(thread: ThreadWindow, page: readonly Message[], reader: number): ThreadWindow {
  const run = joinOlder({ messages: drawn(thread), aside: [] }, page).messages;
  return run === drawn(thread) ? thread : placed(thread, run, reader, 'newest');
}

/** Puts the page behind the newest message drawn; the oldest are let go. Meets the live log where it can. */
export function withNewer(thread: ThreadWindow, page: readonly Message[], reader: number): ThreadWindow {
  if (!thread.away) return thread;
  return placed(thread, join({ messages: thread.away, aside: [] }, page).messages, reader, 'oldest');
}

/** Whether reading down needs no page: what comes next is in the live log. */
export function meetsLog({ log, away }: ThreadWindow): boolean {
  return !away || lastOf(away) >= firstOf(log) - 1;
}

/** A place far from what is drawn: the pages up to a message and from there on. */
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

/** What came in live has made the log long: cut where nobody is reading. */
export function trimmed(thread: ThreadWindow, reader: number): ThreadWindow {
  const { log, away } = thread;
  if (away || log.length <= WINDOW + SLACK) return thread;
  return placed(thread, log, reader, reader >= lastOf(log) ? 'oldest' : 'newest');
}

/**
 * Draws of a run what the window holds, letting go of its newest or its oldest messages, but never of those around
 * the reader. A window that then reaches the conversation's end is live.
 */
function placed(
  { log, away }: ThreadWindow,
  run: readonly Message[],
  reader: number,
  letGo: 'newest' | 'oldest',
): ThreadWindow {
  const reachesLog = lastOf(run) >= firstOf(log) - 1;
  const whole = reachesLog ? [...run.filter(({ seq }) => seq < firstOf(log)), ...log] : run;
  const most = Math.max(0, whole.length - WINDOW);
  let start = letGo === 'newest' ? 0 : most;
  if (holds(whole, reader)) {
    const place = reader - firstOf(whole);
    start = Math.min(Math.max(start, place + AROUND_READER + 1 - WINDOW), place - AROUND_READER);
  }
  start = Math.min(Math.max(start, 0), most);
  const end = start + WINDOW;
  if (reachesLog && end >= whole.length) return { log: whole.slice(start), away: undefined };
  // Who leaves the end keeps its newest page, to come back to. Later it only grows by what comes in: that is counted.
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
