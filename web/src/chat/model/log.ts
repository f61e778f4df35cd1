import type { Message } from '@settee/protocol/model/message';

/** Messages without a gap, and those that came too early to join them. Both ordered by number. */
export type Log = { messages: readonly Message[]; aside: readonly Message[] };

export const emptyLog: Log = { messages: [], aside: [] };

/** The last number up to which nothing is missing. */
export function lastSeq(log: Log): number {
  return log.messages.at(-1)?.seq ?? 0;
}

/** The highest number that was seen at all. */
export function highestSeq(log: Log): number {
  return log.aside.at(-1)?.seq ?? lastSeq(log);
}

/** The first page: wherever it starts, it is the ground the rest is laid on. */
export function startLog(page: readonly Message[], early: readonly Message[]): Log {
  const [first, ...rest] = bySeq(page);
  return join({ messages: first ? [first] : [], aside: [] }, [...rest, ...early]);
}

/** Before the first page nothing has a place yet. */
export function setAside(log: Log, incoming: readonly Message[]): Log {
  const all = bySeq([...log.aside, ...incoming]);
  return { ...log, aside: all.filter((message, i) => message.seq !== all[i - 1]?.seq) };
}

/** Takes what continues the log, keeps aside what would leave a gap, forgets what is known. */
export function join(log: Log, incoming: readonly Message[]): Log {
  const messages = [...log.messages];
  const aside: Message[] = [];
  let last = lastSeq(log);
  for (const message of bySeq([...log.aside, ...incoming])) {
    if (message.seq <= last || message.seq === aside.at(-1)?.seq) continue;
    if (message.seq === last + 1) {
      messages.push(message);
      last = message.seq;
    } else {
      aside.push(message);
    }
  }
  const changed = messages.length !== log.messages.length;
  return { messages: changed ? messages : log.messages, aside };
}

/** Puts an older page before the log; a page that does not end right before it is refused. */
export function joinOlder(log: Log, page: readonly Message[]): Log {
  const first = log.messages[0]?.seq;
  if (first === undefined) return log;
  const older: Message[] = [];
  let next = first - 1;
  for (const message of bySeq(page).reverse()) {
    if (message.seq !== next) continue;
    older.unshift(message);
    next -= 1;
  }
  return older.length === 0 ? log : { ...log, messages: [...older, ...log.messages] };
}

/** Lets go of all but the newest: they can be read again. */
export function keepNewest(log: Log, count: number): Log {
  return log.messages.length > count ? { ...log, messages: log.messages.slice(-count) } : log;
}

function bySeq(messages: readonly Message[]): Message[] {
  return messages.toSorted((a, b) => a.seq - b.seq);
}
