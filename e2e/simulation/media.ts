import { mediaCalls } from '@settee/protocol/calls/mediaCalls';
import { type MediaStore, mediaRoutes, processMedia } from '../../server/testing/simulation.ts';
import type { Random } from '../proof/random.ts';
import type { Gateway } from './gateway.ts';
import { type Around, ModelDatabase } from './model/model.ts';
import type { State } from './model/state.ts';
import type { Rates } from './plan.ts';
import { type Owner, scheduler, simulation, virtualClock } from './time.ts';

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

type Name = keyof typeof mediaCalls;
type Route = (incoming: object) => Promise<object | undefined>;

/** The calls with the pattern of their addresses. */
const CALLS = Object.entries(mediaCalls).map(([name, { method, path }]) => ({
  name: name as Name,
  method,
  pattern: new RegExp(`${path.replaceAll(/:([a-z]+)/gi, '(?<$1>[^/]+)')}$`),
}));

/** The answer of a gateway to a call about an image. */
export async function mediaCall(
  gateway: Gateway,
  address: string,
  { method, headers, body }: RequestInit,
): Promise<Response> {
  const found = CALLS.find((each) => each.method === method && each.pattern.test(address));
  if (found === undefined) throw new Error(`there is no call ${method} ${address}`);
  const params = found.pattern.exec(address)?.groups;
  const { authorization = '' } = headers as Record<string, string>;
  const result = await gateway.call(authorization.replace('Bearer ', ''), (app, caller) => {
    const route = mediaRoutes(app)[found.name] as Route;
    const sent = typeof body === 'string' ? (JSON.parse(body) as object) : undefined;
    return route({ caller, params, body: sent, reply: { raw: { once() {} } } });
  });
  const status = result.ok ? 200 : result.code === 'unauthenticated' ? 401 : 400;
  const answer = result.ok
    ? { success: true, ...result.answer }
    : { success: false, error: 'refused', code: result.code };
  const noHeaders = { get: () => null } as unknown as Headers;
  return { ok: result.ok, status, headers: noHeaders, json: async () => answer } as Response;
}

/** A job of a dead worker is unlocked after this time at most: see server/src/platform/db/workers.ts. */
const LOST_MS = 50_000;
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
  readonly #jobs = new Map<string, { isLocked: boolean }>();

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.state.addWork = (mediaId) => this.#add(mediaId);
  }

  /** What it was doing is lost. Another one takes the next jobs. */
  kill(): void {
    this.#owner.dead = true;
    this.#owner = { name: 'worker', dead: false };
    for (const [mediaId, { isLocked }] of this.#jobs) this.#plan(mediaId, isLocked ? LOST_MS : undefined);
  }

  end(): void {
    this.#owner.dead = true;
  }

  #add(mediaId: string): void {
    this.#jobs.set(mediaId, { isLocked: false });
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
    this.#jobs.set(mediaId, { isLocked: true });
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
          this.#jobs.set(mediaId, { isLocked: false });
          this.#plan(mediaId, RETRY_MS);
        },
      );
    });
  }
}
