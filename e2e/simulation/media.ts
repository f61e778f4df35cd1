import type { MediaStore } from '../../server/src/ports.ts';
import type { Random } from '../proof/random.ts';
import type { Rates } from './plan.ts';
import { type Owner, scheduler } from './time.ts';

type Stored = { bytes: number; type: string };

/** The longest time that a request takes, or that a transfer stalls before it breaks. */
const REQUEST_MS = 40;
const STALL_MS = 20_000;

/** The store of media. Requests of gateways and workers fail, and transfers of pages break or arrive late. */
export class SimulatedMedia {
  readonly objects = new Map<string, Stored>();
  readonly #random: Random;
  readonly #rates: () => Rates;

  constructor(random: Random, rates: () => Rates) {
    this.#random = random;
    this.#rates = rates;
  }

  /** As one process sees it. */
  of(owner: Owner): MediaStore {
    const ask = <T>(run: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        const isLost = this.#random.chance(this.#rates().mediaLost);
        const isDone = !isLost || this.#random.chance(0.5);
        const result = isDone ? run() : undefined;
        const answer = (): void => (isLost ? reject(new Error('the store is away')) : resolve(result as T));
        scheduler.after(this.#random.between(1, REQUEST_MS), answer, owner);
      });
    const { objects } = this;
    return {
      signUpload: async (path, { type, bytes }) => JSON.stringify({ path, type, bytes }),
      signDownload: async (path) => path,
      get: (path) => ask(() => (objects.has(path) ? new Uint8Array(1) : undefined)),
      put: (path, body, type) => ask(() => void objects.set(path, { bytes: body.length, type })),
      head: (path) => ask(() => objects.get(path)),
      remove: (path) => ask(() => void objects.delete(path)),
      removeAll: () => Promise.reject(new Error('not simulated')),
      listAll: () => {
        throw new Error('not simulated');
      },
    };
  }

  /** A page sends a file to a signed address. It may arrive twice, late, or without an answer. */
  receive(page: Owner, address: string, file: Stored, onEnd: (status: number) => void): () => void {
    const { path, ...signed } = JSON.parse(address) as Stored & { path: string };
    const random = this.#random;
    const isLost = random.chance(this.#rates().mediaLost);
    const fits = signed.type === file.type && signed.bytes === file.bytes;
    const arrive = (): void => void (fits && this.objects.set(path, file));
    const arrivals = isLost ? random.whole(0, 2) : 1;
    // The bytes are under way, also if the page closes.
    for (let time = 0; time < arrivals; time += 1)
      scheduler.after(random.between(5, isLost ? STALL_MS : REQUEST_MS), arrive);
    const end = random.between(REQUEST_MS, isLost ? STALL_MS : 2 * REQUEST_MS);
    return scheduler.after(end, () => onEnd(isLost ? 0 : fits ? 200 : 403), page);
  }
}
