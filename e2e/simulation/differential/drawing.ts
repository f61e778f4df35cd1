import type { Visitor } from '../../../server/testing/simulation.ts';
import type { Random } from '../../proof/random.ts';
import type { State } from '../model/state.ts';

const HOUR_MS = 3_600_000;
export const DESKS = ['back', 'front', 'night'];
const GATEWAYS = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
const VISITORS = Array.from({ length: 6 }, (_, n) => `${n}0000000-0000-4000-8000-000000000000`);
const CREDENTIALS = ['one', 'two', 'three'].map((text) => Buffer.from(text));

/** Draws arguments: mostly what exists, sometimes what does not. */
export class Drawing {
  readonly random: Random;
  /** Of the model before the call. Until the first difference it equals that of PostgreSQL. */
  readonly state: State;

  constructor(random: Random, state: State) {
    this.random = random;
    this.state = state;
  }

  #oneOf(keys: string[], unknown = () => this.random.uuid()): string {
    return keys.length === 0 || this.random.chance(0.05) ? unknown() : this.random.pick(keys);
  }

  conversation(): string {
    return this.#oneOf(this.state.conversations.keys(), () =>
      this.#oneOf(this.state.erasures.keys(), () => this.random.uuid()),
    );
  }

  conversations(): string[] {
    return Array.from({ length: this.random.whole(1, 5) }, () => this.conversation());
  }

  invite(): string {
    return this.#oneOf(this.state.invites.keys());
  }

  bytes(): Buffer {
    return Buffer.from(this.random.uuid());
  }

  person(): string {
    return this.random.pick(this.state.staff.keys());
  }

  session(): string {
    return this.#oneOf(this.state.sessions.keys());
  }

  gateway(): string {
    return this.random.pick(GATEWAYS);
  }

  endpoint(): string {
    return `https://push.example/${this.random.whole(1, 5)}`;
  }

  /** In an hour, or never. */
  soon(): number | null {
    return this.random.chance(0.3) ? null : this.state.now() + HOUR_MS;
  }

  /** The ids of the last ones. */
  messagesOf(conversationId: string): string[] {
    return (this.state.messages.get(conversationId) ?? []).slice(-3).map(({ id }) => id);
  }

  note(): string {
    return this.#oneOf(this.state.notes.keys());
  }

  picture(): string {
    return this.#oneOf(this.state.media.keys());
  }

  desk(): string {
    return this.random.pick(DESKS);
  }

  /** The desk of a staff member who acts on this conversation: usually its own. */
  deskFor(conversationId: string): string | null {
    if (this.random.chance(0.1)) return this.desk();
    if (this.random.chance(0.2)) return null;
    return this.state.conversations.get(conversationId)?.handlerAlias ?? this.desk();
  }

  /** The desks of a staff member who acts on this conversation: sometimes one more. */
  reachFor(conversationId: string): string[] | null {
    const desk = this.deskFor(conversationId);
    if (desk === null) return null;
    return this.random.chance(0.3) ? [this.desk(), desk] : [desk];
  }

  visitorId(): string {
    return this.random.pick(VISITORS);
  }

  credential(): Buffer {
    return this.random.pick(CREDENTIALS);
  }

  /** Usually a visitor with a device there. */
  visitorOf(conversationId: string): Visitor {
    const devices = this.state.devices.where((device) => device.conversationId === conversationId);
    if (devices.length === 0 || this.random.chance(0.1)) return this.visitor();
    const { visitorId, credential } = this.random.pick(devices);
    return { kind: 'visitor', visitorId, credential };
  }

  visitor(): Visitor {
    const visitorId = this.visitorId();
    const known = this.state.devices.find((device) => device.visitorId === visitorId)?.credential;
    const credential = known !== undefined && this.random.chance(0.8) ? known : this.credential();
    return { kind: 'visitor', visitorId, credential };
  }

  /** A number near the head. */
  seq(conversationId: string): number {
    const head = this.state.conversations.get(conversationId)?.lastSeq ?? 0;
    return Math.max(0, head + this.random.whole(-4, 1));
  }

  text(): string {
    const letters = Array.from(
      { length: this.random.whole(0, 3) === 0 ? this.random.whole(130, 150) : 5 },
      () => this.random.pick(['a', 'ß', '\u{1f6cb}', ' ', '0']),
    );
    return `x${letters.join('')}`;
  }
}
