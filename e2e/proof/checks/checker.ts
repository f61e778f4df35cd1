import {
  type HistoryEvent,
  type ReadMessage,
  readHistory,
  type WatchEvent,
  type WatchedProperty,
  watchedProperties,
} from './history.ts';
import { queueFindings, SeenMarks, unreadIn } from './marks.ts';
import { checkWatched } from './watched.ts';

/** The properties of every history, also after faults. */
const messageProperties = {
  volume: 'there are enough acknowledged messages and faults',
  lost: 'no acknowledged message is lost',
  duplicates: 'no message is stored or shown twice',
  gaps: 'numbers run from 1 without a gap',
  acks: 'every ack has the number and the time of the stored message',
  devices: 'every device ends with the messages of the database',
  pages: 'the history over HTTP equals the database',
  invented: 'every message was written by a device',
  contents: 'sender and text are as written',
  order: 'the messages of each device are in the order of writing',
  heads: "a conversation's head is the number of its messages",
  seen: 'every seen mark that a device reported is stored and shown, never goes back, and never passes the head',
  unread: 'the unread count is the number of messages after the seen mark of the desk',
  queues: 'the queue of every console equals the database',
} as const;

export const properties = { ...messageProperties, ...watchedProperties } as const;
export type Property = keyof typeof properties;
export type Findings = Record<Property, string[]>;
export type Verdict = {
  findings: Findings;
  /** The properties that this history can show. Those of the watchers only if they ran. */
  judged: Property[];
  /** How much was observed. */
  evidence: Partial<Record<WatchedProperty, string>>;
  conversations: number;
  attempted: number;
  acked: number;
  stored: number;
  faults: Map<string, number>;
};

type Attempt = { device: string; order: number; sender: string; text: string };
type Chat = {
  id: string;
  devices: Set<string>;
  attempts: Map<string, Attempt>;
  acks: Map<string, { seq: number; createdAt: number }>;
  reads: Map<string, ReadMessage[]>;
  head: (HistoryEvent & { type: 'head' }) | undefined;
  marks: SeenMarks;
};

export async function checkFile(path: string): Promise<Verdict> {
  return check(await readHistory(path));
}

/** Pure: takes the events of a run and returns everything that is wrong. */
export function check(history: Iterable<HistoryEvent>): Verdict {
  const findings = Object.fromEntries(
    Object.keys(properties).map((name): [string, string[]] => [name, []]),
  ) as Findings;
  const chats = new Map<string, Chat>();
  const faults = new Map<string, number>();
  const watched: WatchEvent[] = [];
  const faultTimes: { at: number; tookMs: number }[] = [];
  const queues: (HistoryEvent & { type: 'queue' })[] = [];
  let wanted = { wantedSends: 1, wantedFaults: 0 };
  const chatOf = (id: string): Chat => {
    const chat = chats.get(id) ?? newChat(id);
    chats.set(id, chat);
    return chat;
  };

  for (const event of history) {
    switch (event.type) {
      case 'run':
        wanted = event;
        break;
      case 'device':
        chatOf(event.conversation).devices.add(event.device);
        break;
      case 'attempted':
        noteAttempt(chatOf(event.conversation), event, findings);
        break;
      case 'acked':
        noteAck(chatOf(event.conversation), event, findings);
        break;
      case 'fault':
        faults.set(event.kind, (faults.get(event.kind) ?? 0) + 1);
        faultTimes.push(event);
        break;
      case 'read':
        chatOf(event.conversation).reads.set(event.by, event.messages);
        break;
      case 'head':
        chatOf(event.conversation).head = event;
        break;
      case 'seen':
        chatOf(event.conversation).marks.report(event);
        break;
      case 'marks':
        chatOf(event.conversation).marks.show(event);
        break;
      case 'queue':
        queues.push(event);
        break;
      default:
        watched.push(event);
    }
  }

  for (const chat of chats.values()) checkChat(chat, findings);
  findings.queues.push(...queueFindings(queues));
  const judged = Object.keys(messageProperties) as Property[];
  const evidence: Verdict['evidence'] = {};
  for (const [property, { found, observed }] of checkWatched(watched, faultTimes)) {
    judged.push(property);
    findings[property].push(...found);
    evidence[property] = observed;
  }
  const all = [...chats.values()];
  const sum = (count: (chat: Chat) => number): number => all.reduce((total, chat) => total + count(chat), 0);
  const acked = sum((chat) => chat.acks.size);
  const faultCount = [...faults.values()].reduce((total, count) => total + count, 0);
  if (acked < wanted.wantedSends)
    findings.volume.push(`${acked} acknowledged of ${wanted.wantedSends} wanted`);
  if (faultCount < wanted.wantedFaults)
    findings.volume.push(`${faultCount} faults of ${wanted.wantedFaults} wanted`);
  return {
    findings,
    judged,
    evidence,
    conversations: all.length,
    attempted: sum((chat) => chat.attempts.size),
    acked,
    stored: sum((chat) => chat.reads.get('database')?.length ?? 0),
    faults,
  };
}

function newChat(id: string): Chat {
  return {
    id,
    devices: new Set(),
    attempts: new Map(),
    acks: new Map(),
    reads: new Map(),
    head: undefined,
    marks: new SeenMarks(),
  };
}

function noteAttempt(chat: Chat, event: HistoryEvent & { type: 'attempted' }, findings: Findings): void {
  // Two messages with one id would make every other finding meaningless.
  if (chat.attempts.has(event.id)) findings.invented.push(`${event.id} was minted twice`);
  chat.attempts.set(event.id, event);
}

function noteAck(chat: Chat, event: HistoryEvent & { type: 'acked' }, findings: Findings): void {
  const { id, seq, createdAt } = event;
  const before = chat.acks.get(id);
  if (before !== undefined && (before.seq !== seq || before.createdAt !== createdAt)) {
    findings.acks.push(`${id} was acknowledged as ${before.seq} and as ${seq}`);
  }
  if (before === undefined) chat.acks.set(id, { seq, createdAt });
}

function checkChat(chat: Chat, findings: Findings): void {
  const stored = chat.reads.get('database');
  if (stored === undefined) {
    findings.lost.push(`${chat.id}: the database was not read`);
    return;
  }
  const rows = stored.toSorted(([a], [b]) => a - b);
  const byId = new Map(rows.map((row) => [row[1], row]));
  for (const [by, messages] of chat.reads) checkOnce(`${by} of ${chat.id}`, messages, findings);

  for (const [id, ack] of chat.acks) {
    const row = byId.get(id);
    if (row === undefined) findings.lost.push(`${id}, acknowledged as ${ack.seq} of ${chat.id}`);
    else if (row[0] !== ack.seq || row[4] !== ack.createdAt) {
      findings.acks.push(
        `${id} was acknowledged as ${ack.seq} at ${ack.createdAt}, read as ${row[0]} at ${row[4]}`,
      );
    }
  }
  for (const [seq, id, sender, text] of rows) {
    const attempt = chat.attempts.get(id);
    if (attempt === undefined) findings.invented.push(`${id}, number ${seq} of ${chat.id}`);
    else if (attempt.sender !== sender || attempt.text !== text)
      findings.contents.push(`${id} of ${chat.id}`);
  }
  checkOrder(chat, rows, findings);
  for (const device of chat.devices) compare(chat, device, rows, findings.devices);
  compare(chat, 'pages', rows, findings.pages);
  checkHead(chat, rows, findings);
}

function checkHead({ id, head, marks, devices }: Chat, rows: ReadMessage[], findings: Findings): void {
  if (head?.lastSeq !== rows.length) {
    findings.heads.push(`${id}: head ${head?.lastSeq ?? 'unread'}, ${rows.length} messages`);
  }
  if (head === undefined) return;
  findings.seen.push(...marks.findings(head, devices, rows).map((wrong) => `${id}: ${wrong}`));
  const unread = unreadIn(rows, head.ownerSeen);
  if (head.unread !== unread) findings.unread.push(`${id}: ${head.unread} unread, but ${unread} messages`);
}

/** One row and one bubble per id, with the numbers 1 to n. */
function checkOnce(where: string, messages: ReadMessage[], findings: Findings): void {
  const ids = new Set<string>();
  let expected = 1;
  for (const [seq, id] of messages.toSorted(([a], [b]) => a - b)) {
    if (ids.has(id)) findings.duplicates.push(`${id} in ${where}`);
    ids.add(id);
    if (seq !== expected) findings.gaps.push(`${seq} where ${expected} should be in ${where}`);
    expected = seq + 1;
  }
}

function checkOrder(chat: Chat, rows: ReadMessage[], findings: Findings): void {
  const last = new Map<string, { order: number; id: string }>();
  const seen = new Set<string>();
  for (const [, id] of rows) {
    const attempt = chat.attempts.get(id);
    // A duplicate is a separate finding. Its second copy does not count for the order.
    if (attempt === undefined || seen.has(id)) continue;
    seen.add(id);
    const before = last.get(attempt.device);
    if (before !== undefined && before.order > attempt.order) {
      findings.order.push(`${attempt.device} wrote ${id} before ${before.id}`);
    }
    last.set(attempt.device, { order: attempt.order, id });
  }
}

function compare(chat: Chat, by: string, rows: ReadMessage[], found: string[]): void {
  const messages = chat.reads.get(by);
  if (messages === undefined) {
    found.push(`${by} of ${chat.id} was not read`);
    return;
  }
  const at = Array.from({ length: Math.max(rows.length, messages.length) }, (_, i) => i).find(
    (i) => JSON.stringify(rows[i]) !== JSON.stringify(messages[i]),
  );
  if (at === undefined) return;
  found.push(
    `${by} of ${chat.id} has ${messages.length} messages, the database ${rows.length}; at ${at + 1}: ${JSON.stringify(messages[at])} for ${JSON.stringify(rows[at])}`,
  );
}

export function failedProperties(verdict: Verdict): Property[] {
  return verdict.judged.filter((name) => verdict.findings[name].length > 0);
}
