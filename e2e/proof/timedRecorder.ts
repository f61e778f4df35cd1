import { type Device, Recorder, type Who } from './recorder.ts';

/** From writing to ack, in milliseconds of `performance.now()`. */
type Wait = { device: string; writtenAt: number; ackedAt: number };

/** Also measures how long each message waits for its ack. */
export class TimedRecorder extends Recorder {
  readonly #written = new Map<string, { device: string; writtenAt: number }>();
  readonly #waits: Wait[] = [];

  override attempted(who: Device, id: string, text: string): void {
    this.#written.set(id, { device: who.name, writtenAt: performance.now() });
    super.attempted(who, id, text);
  }

  override acked(who: Device, ack: { id: string; seq: number; createdAt: number }): void {
    this.#confirm(ack.id);
    super.acked(who, ack);
  }

  override shown(who: Who, id: string): void {
    if (this.#written.get(id)?.device === who.name) this.#confirm(id);
  }

  #confirm(id: string): void {
    const written = this.#written.get(id);
    if (written === undefined) return;
    this.#written.delete(id);
    this.#waits.push({ ...written, ackedAt: performance.now() });
  }

  /** The waits that ended in this period, in milliseconds. */
  waits(from: number, to: number): number[] {
    return this.#waits
      .filter(({ ackedAt }) => ackedAt >= from && ackedAt <= to)
      .map(({ writtenAt, ackedAt }) => ackedAt - writtenAt);
  }

  /** How long the messages without an ack have waited so far. */
  waiting(): number[] {
    const now = performance.now();
    return [...this.#written.values()].map(({ writtenAt }) => now - writtenAt);
  }

  /** All waits so far. */
  all(): readonly Wait[] {
    return this.#waits;
  }
}
