import { processMedia } from '../../server/src/jobs/processMedia.ts';
import type { Random } from '../proof/random.ts';
import type { SimulatedMedia } from './media.ts';
import type { Around } from './model/modelDatabase.ts';
import { ModelDatabase } from './model/modelDatabase.ts';
import type { State } from './model/state.ts';
import { type Owner, scheduler, simulation, virtualClock } from './time.ts';

/** A job of a dead worker counts as lost after this time, as in restartLostProcessing. */
const LOST_MS = 120_000;
const RETRY_MS = 2_000;

type Parts = {
  state: State;
  media: SimulatedMedia;
  random: Random;
  around: (owner: Owner) => Around;
};

/** The worker that processes images: the product's job on a model of its queue. */
export class ImageWorker {
  readonly #parts: Parts;
  #owner: Owner = { name: 'worker', dead: false };
  /** The jobs by image. A locked one runs. */
  readonly #jobs = new Map<string, { lockedAt: number | undefined }>();

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.state.addWork = (mediaId) => this.#add(mediaId);
  }

  /** What it was doing is lost. Another one takes the next jobs. */
  kill(): void {
    this.#owner.dead = true;
    this.#owner = { name: 'worker', dead: false };
    for (const [mediaId, { lockedAt }] of this.#jobs) if (lockedAt === undefined) this.#plan(mediaId);
  }

  end(): void {
    this.#owner.dead = true;
  }

  #add(mediaId: string): void {
    const known = this.#jobs.get(mediaId);
    if (known && (known.lockedAt === undefined || known.lockedAt > scheduler.now - LOST_MS)) return;
    this.#jobs.set(mediaId, { lockedAt: undefined });
    this.#plan(mediaId);
    // A job is repeated if its worker seems dead.
    if (this.#parts.random.chance(0.1)) scheduler.after(5, () => this.#run(mediaId), simulation);
  }

  #plan(mediaId: string, ms = this.#parts.random.between(1, 400)): void {
    scheduler.after(ms, () => this.#run(mediaId), this.#owner);
  }

  #run(mediaId: string): void {
    const owner = this.#owner;
    const { state, media, random, around } = this.#parts;
    const db = new ModelDatabase(state);
    db.around = around(owner);
    this.#jobs.set(mediaId, { lockedAt: scheduler.now });
    const reencode = () =>
      new Promise<Awaited<ReturnType<NonNullable<Parameters<typeof processMedia>[0]['reencode']>>>>(
        (resolve) => {
          const made = { type: 'image/png', width: 4, height: 3, thumbhash: 'AA', bytes: new Uint8Array(1) };
          const retryable = random.chance(0.5);
          const result = random.chance(0.05)
            ? ({ ok: false, reason: 'simulated', retryable } as const)
            : ({ ok: true, ...made } as const);
          scheduler.after(random.between(1, 300), () => resolve(result), owner);
        },
      );
    const log = { info() {}, warn() {}, error() {} };
    const parts = { db, media: media.of(owner), clock: virtualClock, log, reencode };
    scheduler.as(owner, () => {
      void processMedia(parts as unknown as Parameters<typeof processMedia>[0], mediaId).then(
        () => this.#jobs.delete(mediaId),
        () => {
          this.#jobs.set(mediaId, { lockedAt: undefined });
          this.#plan(mediaId, RETRY_MS);
        },
      );
    });
  }
}
