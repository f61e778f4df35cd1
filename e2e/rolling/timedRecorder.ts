import { type Device, Recorder } from '../proof/recorder.ts';

/** Also measures how long each message waits for its ack. */
export class TimedRecorder extends Recorder {
  readonly #writtenAt = new Map<string, number>();
  readonly #waits: { ackedAt: number; ms: number }[] = [];

  override attempted(who: Device, id: string, text: string): void {
    this.#writtenAt.set(id, performance.now());
    super.attempted(who, id, text);
  }

  override acked(who: Device, ack: { id: string; seq: number; createdAt: number }): void {
    const writtenAt = this.#writtenAt.get(ack.id);
    const now = performance.now();
    if (writtenAt !== undefined) this.#waits.push({ ackedAt: now, ms: now - writtenAt });
    this.#writtenAt.delete(ack.id);
    super.acked(who, ack);
  }

  /** The waits that ended in this period. */
  waits(from: number, to: number): number[] {
    return this.#waits.filter(({ ackedAt }) => ackedAt >= from && ackedAt <= to).map(({ ms }) => ms);
  }
}
