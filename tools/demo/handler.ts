import type { Down } from '@settee/protocol/frames/down';
import type { QueueRow } from '@settee/protocol/model/conversation';
import type { Pace } from './pace.ts';
import { type Line, Person } from './person.ts';
import { DEMO_PASSWORD, script } from './staff.ts';
import { exchanges, farewells, greetings, openings } from './words.ts';

const ANSWERS = new Map<string, string>([...exchanges, ...farewells]);
const FAREWELLS = new Set(farewells.map(([asks]) => asks));
const OPENINGS = new Set(openings);
/** Somebody who tries the demo may want to answer themselves. */
const PATIENCE_MS = { cast: 5_000, guest: 25_000 };
/** A token lasts an hour; the page of a person would renew it. */
const REOPENS_MS = 20 * 60_000;

const POLITE = [
  'Hello! This is the demo’s script: nobody is behind it. Sign in at /handler and answer yourself, side by side with this window.',
  'Still the demo’s script. Try an image, a second device with the four digits, or close this tab and come back.',
  'The demo’s script has said all it knows. Whatever you write is stored all the same.',
];

/** The one simulated member of staff. Whoever waited before the demo began is left to those who watch. */
export class SimulatedHandler {
  readonly #url: string;
  readonly #pace: Pace;
  readonly #stored: (id: string) => void;
  readonly #rows = new Map<string, QueueRow>();
  readonly #old = new Set<string>();
  readonly #told = new Map<string, number>();
  readonly #isCast: (name: string) => boolean;
  #begun = Promise.withResolvers<void>();

  constructor(url: string, pace: Pace, isCast: (name: string) => boolean, stored: (id: string) => void) {
    this.#url = url;
    this.#pace = pace;
    this.#isCast = isCast;
    this.#stored = stored;
  }

  /** Resolves when the queue is on show. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  async live(): Promise<void> {
    const person = new Person(this.#url);
    while (!this.#pace.isOver) {
      try {
        await person.call('POST', '/auth/staff/sign-in', { email: script.email, password: DEMO_PASSWORD });
        const line = await person.open((frame) => this.#hear(frame));
        line.say({ type: 'watchQueue' });
        await this.#work(person, line, Date.now() + REOPENS_MS);
        line.close();
      } catch {
        await this.#pace.pause(1, 3);
      }
    }
  }

  async #work(person: Person, line: Line, until: number): Promise<void> {
    while (!this.#pace.isOver && line.isOpen && Date.now() < until) {
      const row = this.#next();
      if (row === undefined) await this.#pace.pause(0.5, 1);
      else await this.#answer(person, line, row);
    }
  }

  /** Who has waited longest, once their turn has come. */
  #next(): QueueRow | undefined {
    const due = [...this.#rows.values()].filter(({ conversationId, waitingSince, visitorName }) => {
      if (waitingSince === null || this.#old.has(conversationId)) return false;
      const patience = this.#isCast(visitorName) ? PATIENCE_MS.cast : PATIENCE_MS.guest;
      return Date.now() - waitingSince >= patience;
    });
    return due.toSorted((a, b) => (a.waitingSince ?? 0) - (b.waitingSince ?? 0))[0];
  }

  async #answer(person: Person, line: Line, row: QueueRow): Promise<void> {
    const { conversationId, head } = row;
    const text = this.#wordsFor(row);
    if (text === undefined) {
      this.#old.add(conversationId);
      return;
    }
    line.say({ type: 'watch', conversationId });
    line.say({ type: 'seen', conversationId, seq: head });
    line.say({ type: 'attend', conversationId, doing: 'viewing' });
    await this.#pace.pause(1, 3);
    for (let typed = 0; typed < Math.min(text.length, 90); typed += 30) {
      line.say({ type: 'typing', conversationId });
      line.say({ type: 'attend', conversationId, doing: 'replying' });
      await this.#pace.pause(1, 2);
    }
    const stillWaits = (this.#rows.get(conversationId)?.waitingSince ?? null) !== null;
    // Refused if somebody else answered meanwhile: then there is nothing left to say.
    const id = stillWaits && !this.#pace.isOver ? await line.write(conversationId, text, head) : undefined;
    if (id !== undefined) this.#stored(id);
    line.say({ type: 'attend', conversationId, doing: 'left' });
    line.say({ type: 'unwatch', conversationId });
    if (id !== undefined && FAREWELLS.has(row.lastMessage)) {
      await this.#pace.pause(2, 5);
      const closed = { status: 'closed' };
      await person.call('PUT', `/conversations/${conversationId}/status`, closed).catch(() => {});
    }
  }

  #wordsFor({ conversationId, visitorName, lastMessage }: QueueRow): string | undefined {
    if (this.#isCast(visitorName)) {
      return ANSWERS.get(lastMessage) ?? (OPENINGS.has(lastMessage) ? this.#pace.pick(greetings) : undefined);
    }
    const told = this.#told.get(conversationId) ?? 0;
    this.#told.set(conversationId, told + 1);
    return POLITE[told];
  }

  #hear(frame: Down): void {
    if (frame.type === 'queue') {
      this.#rows.clear();
      for (const row of frame.rows) this.#rows.set(row.conversationId, row);
      // Only the first time: who came while the line was down is to be answered.
      if (this.#old.size === 0) for (const { conversationId } of frame.rows) this.#old.add(conversationId);
      this.#begun.resolve();
    }
    if (frame.type !== 'queueChange') return;
    for (const row of frame.rows) this.#rows.set(row.conversationId, row);
    for (const id of frame.gone) this.#rows.delete(id);
  }
}
