import type { HistoryEvent, Marks, QueueLine, ReadMessage, Sender } from './history.ts';

type Side = { sender: Sender; mark: keyof Marks };
const SIDES: readonly Side[] = [
  { sender: 'visitor', mark: 'visitorSeen' },
  { sender: 'owner', mark: 'ownerSeen' },
];

/** What the history says about the seen marks of one conversation. */
export class SeenMarks {
  readonly #reported = new Map<Sender, number>();
  readonly #shown = new Map<string, Marks>();
  readonly #backwards: string[] = [];

  report({ sender, seq }: HistoryEvent & { type: 'seen' }): void {
    this.#reported.set(sender, Math.max(this.#reported.get(sender) ?? 0, seq));
  }

  show(event: HistoryEvent & { type: 'marks' }): void {
    const before = this.#shown.get(event.device);
    for (const { mark } of SIDES)
      if (before !== undefined && event[mark] < before[mark])
        this.#backwards.push(`${mark} of ${event.device} went from ${before[mark]} to ${event[mark]}`);
    this.#shown.set(event.device, event);
  }

  /**
   * The stored marks are what the devices reported, and every device shows them. A mark that a broken connection lost is
   * not sent again if only own messages follow the stored one.
   */
  findings(
    stored: Marks & { lastSeq: number },
    devices: Iterable<string>,
    rows: readonly ReadMessage[],
  ): string[] {
    const found = [...this.#backwards];
    for (const { sender, mark } of SIDES) {
      const reported = this.#reported.get(sender) ?? 0;
      const isMissed = rows.some(
        ([seq, , author]) => seq > stored[mark] && seq <= reported && author !== sender,
      );
      if (isMissed || stored[mark] > reported)
        found.push(`${mark} is ${stored[mark]}, and ${reported} was reported`);
      if (stored[mark] > stored.lastSeq) found.push(`${mark} ${stored[mark]} is above ${stored.lastSeq}`);
      for (const device of devices) {
        const shown = this.#shown.get(device)?.[mark] ?? 0;
        if (shown !== stored[mark]) found.push(`${device} shows ${mark} ${shown}, stored is ${stored[mark]}`);
      }
    }
    return found;
  }
}

/** The visitor's messages that the desk has not seen. */
export function unreadIn(rows: readonly ReadMessage[], ownerSeen: number): number {
  return rows.filter(([seq, , sender]) => sender === 'visitor' && seq > ownerSeen).length;
}

/** Compares the queue of every console with the database. */
export function queueFindings(queues: readonly (HistoryEvent & { type: 'queue' })[]): string[] {
  const stored = new Map(queues.filter(({ by }) => by === 'database').map(({ desk, rows }) => [desk, rows]));
  return queues.flatMap(({ desk, by, rows }) => {
    const expected = stored.get(desk);
    if (expected === undefined) return [`the queue of ${desk} was not read`];
    const wrong = firstDifference(rows, expected);
    return wrong === undefined ? [] : [`${by} of ${desk}: ${wrong}`];
  });
}

function firstDifference(rows: QueueLine[], expected: QueueLine[]): string | undefined {
  const at = Array.from({ length: Math.max(rows.length, expected.length) }, (_, i) => i).find(
    (i) => JSON.stringify(rows[i]) !== JSON.stringify(expected[i]),
  );
  return at === undefined ? undefined : `${JSON.stringify(rows[at])} for ${JSON.stringify(expected[at])}`;
}
