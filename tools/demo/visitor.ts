import type { Down } from '@settee/protocol/frames/down';
import type { Pace } from './pace.ts';
import { type Line, Person } from './person.ts';
import { exchanges, farewells, openings } from './words.ts';

const TYPES_AGAIN_SECONDS = 2;
const WAITS_FOR_ANSWER_SECONDS = 45;

/** A simulated reader: comes, types, writes, reads the answer, goes away and comes back. */
export class SimulatedVisitor {
  readonly #person: Person;
  readonly #pace: Pace;
  readonly #stored: (id: string) => void;
  #line: Line | undefined;
  #conversationId = '';
  #answered = 0;
  #topic: number;

  constructor(url: string, pace: Pace, stored: (id: string) => void) {
    this.#person = new Person(url);
    this.#pace = pace;
    this.#stored = stored;
    this.#topic = pace.below(exchanges.length);
  }

  async live(link: string, name: string): Promise<void> {
    const token = link.slice(link.lastIndexOf('/') + 1);
    await this.#person.call('POST', '/auth/anonymous');
    await this.#person.call('POST', '/seeInvite', { token });
    const claimed = await this.#person.call('POST', '/claimInvite', { token, csrf: String(Date.now()) });
    this.#conversationId = String(claimed.conversationId);
    // The claim changed the cookie's secret: the token from before opens nothing.
    await this.#person.call('POST', '/auth/anonymous');
    const path = `/conversations/${this.#conversationId}/visitorName`;
    await this.#person.call('PUT', path, { visitorName: name });
    for (let visits = 0; !this.#pace.isOver; visits += 1) {
      await this.#visit(visits === 0).catch(() => {});
      await this.#pace.pause(15, 50);
    }
  }

  async #visit(first: boolean): Promise<void> {
    await this.#person.call('POST', '/auth/anonymous');
    const line = await this.#person.open((frame) => this.#hear(frame));
    this.#line = line;
    try {
      line.say({ type: 'watch', conversationId: this.#conversationId });
      if (first) await this.#ask(line, this.#pace.pick(openings));
      for (let left = 1 + this.#pace.below(3); left > 0 && !this.#pace.isOver; left -= 1) {
        await this.#pace.pause(2, 9);
        await this.#ask(line, this.#nextTopic());
      }
      if (this.#pace.below(4) === 0) await this.#ask(line, this.#pace.pick(farewells)[0]);
      await this.#pace.pause(3, 8);
    } finally {
      line.close();
    }
  }

  #nextTopic(): string {
    this.#topic = (this.#topic + 1) % exchanges.length;
    return exchanges[this.#topic]?.[0] ?? '';
  }

  /** Types for as long as it takes, writes, and waits a while for the answer. */
  async #ask(line: Line, text: string): Promise<void> {
    const conversationId = this.#conversationId;
    for (let typed = 0; typed < text.length && !this.#pace.isOver; typed += 12) {
      line.say({ type: 'typing', conversationId });
      await this.#pace.pause(TYPES_AGAIN_SECONDS * 0.4, TYPES_AGAIN_SECONDS);
    }
    if (this.#pace.isOver) return;
    const before = this.#answered;
    const id = await line.write(conversationId, text);
    if (id !== undefined) this.#stored(id);
    for (let waited = 0; waited < WAITS_FOR_ANSWER_SECONDS && !this.#pace.isOver; waited += 1) {
      if (this.#answered > before) return;
      await this.#pace.pause(1, 1);
    }
  }

  #hear(frame: Down): void {
    if (frame.type !== 'message' || frame.message.sender !== 'owner') return;
    this.#answered += 1;
    const { seq } = frame.message;
    const { conversationId } = frame.message;
    void this.#pace.pause(1, 3).then(() => this.#line?.say({ type: 'seen', conversationId, seq }));
  }
}
