import type { Message } from '@settee/protocol/model/message';

/** Messages without a gap, and later ones that arrived too early. Both ordered by number. */
export type Log = { messages: readonly Message[]; aside: readonly Message[] };

export const emptyLog: Log = { messages: [], aside: [] };

/** The last number without a gap. */
export function lastSeq(log: Log): number {
  return log.messages.at(-1)?.seq ?? 0;
}

/** The highest number received. */
export function highestSeq(log: Log): number {
  return log.aside.at(-1)?.seq ?? lastSeq(log);
}

/** Starts the log with the first page. */
export function startLog(page: readonly Message[], early: readonly Message[]): Log {
  const [first, ...rest] = bySeq(page);
  return join({ messages: first ? [first] : [], aside: [] }, [...rest, ...early]);
}

/** Keeps messages that arrive before the first page. */
export function setAside(log: Log, incoming: readonly Message[]): Log {
  const all = bySeq([...log.aside, ...incoming]);
  return { ...log, aside: all.filter((message, i) => message.seq !== all[i - 1]?.seq) };
}

/** Appends messages that continue the log, sets aside those after a gap, and ignores known ones. */
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

/** Prepends an older page. Ignores a page that does not end directly before the log. */
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

/** Drops all but the newest. The rest can be loaded again. */
export function keepNewest(log: Log, count: number): Log {
  return log.messages.length > count ? { ...log, messages: log.messages.slice(-count) } : log;
}

function bySeq(messages: readonly Message[]): Message[] {
  return messages.toSorted((a, b) => a.seq - b.seq);
}
