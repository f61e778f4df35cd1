import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../proof/database.ts';
import type { GatewayProcess } from '../proof/gatewayProcess.ts';
import type { PageDevice } from '../proof/page.ts';
import { until } from '../proof/until.ts';
import { STALL_MAX_MS } from './promises.ts';
import { migrateWith } from './releases.ts';
import type { Returns } from './returns.ts';
import type { Side, Stage } from './stage.ts';
import type { TimedRecorder } from './timedRecorder.ts';

/** Longer than the delay, the drain and everything else that a stopping gateway may wait for. */
const EXITS_WITHIN_MS = 20_000;
const READY_WITHIN_MS = 30_000;
const SIDE_BY_SIDE_MS = 3_000;
const BREATH_MS = 700;

type Parts = {
  stage: Stage;
  returns: Returns;
  recorder: TimedRecorder;
  /** How long the operator waits for pages to come back before going on. */
  patienceMs: number;
  say: (line: string) => void;
};

/** What an operator does, step by step, and what is seen of it. */
export class Upgrade {
  readonly badExits: string[] = [];
  readonly tooReady: string[] = [];
  readonly stalls: string[] = [];
  readonly lonely: string[] = [];
  /** Milliseconds from SIGTERM to the end, of each process. */
  readonly exits: number[] = [];
  /** The longest that a message waited for its ack: before the migration, and while it ran. */
  longestWaits = { before: 0, during: 0 };
  migrationMs = 0;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** One gateway, as it is or as another release. The balancer finds out by itself. */
  async restart(side: Side): Promise<void> {
    await this.#end(side.process);
    await this.#allBack();
    await side.process.start();
    await this.#settled(side);
  }

  /** The first gateway comes before the schema that it needs, and waits for it. */
  async begin(build: string): Promise<void> {
    const { stage } = this.#parts;
    const [first] = stage.sides;
    first.process.takeBuild(build);
    await this.#end(first.process);
    await this.#allBack();
    const serves = first.process.launch();
    await this.#saysWhatItLacks(first);
    await this.#migrate(build);
    await serves();
    await this.#settled(first);
  }

  /** Both releases for a while, then the second gateway and the worker. */
  async finish(build: string, phones: readonly PageDevice[]): Promise<void> {
    const { stage, say } = this.#parts;
    // New connections are what brings people to the gateway that nobody is connected to.
    for (const phone of phones) phone.dropLine();
    await sleep(SIDE_BY_SIDE_MS);
    const { before, after } = await countSides(stage.databaseUrl);
    say(`side by side, ${before} messages by the old release and ${after} by the new`);
    if (before === 0) this.lonely.push('the release before stored nothing after the migration');
    if (after === 0) this.lonely.push('the next release stored nothing beside the one before');

    const [, second] = stage.sides;
    second.process.takeBuild(build);
    await this.restart(second);
    stage.worker.takeBuild(build);
    await this.#end(stage.worker);
    await stage.worker.start();
  }

  async #migrate(build: string): Promise<void> {
    const { stage, recorder, say } = this.#parts;
    const began = performance.now();
    this.longestWaits.before = Math.max(0, ...recorder.waits(began - BREATH_MS, began));
    await migrateWith(build, stage.env);
    const ended = performance.now();
    await sleep(BREATH_MS);
    this.migrationMs = Math.round(ended - began);
    this.longestWaits.during = Math.max(0, ...recorder.waits(began, ended + BREATH_MS));
    const longest = Math.round(this.longestWaits.during);
    if (longest > STALL_MAX_MS) this.stalls.push(`a message waited for ${longest} ms`);
    say(`migrated under load in ${this.migrationMs} ms; the longest wait for an ack was ${longest} ms`);
  }

  async #end(process: GatewayProcess): Promise<void> {
    const { code, tookMs } = await process.terminate(EXITS_WITHIN_MS);
    this.exits.push(tookMs);
    this.#parts.say(`${process.name} ended with ${code} after ${tookMs} ms`);
    if (code !== 0) this.badExits.push(`${process.name} ended with ${code} after ${tookMs} ms`);
  }

  async #settled(side: Side): Promise<void> {
    await until(() => this.#parts.stage.balancer.isReady(side), READY_WITHIN_MS);
    await this.#allBack();
  }

  async #allBack(): Promise<void> {
    await until(() => this.#parts.returns.away().length === 0, this.#parts.patienceMs);
    await sleep(BREATH_MS);
  }

  async #saysWhatItLacks(side: Side): Promise<void> {
    const { stage, say } = this.#parts;
    const given = stage.balancer.given(side);
    const deadline = performance.now() + READY_WITHIN_MS;
    for (;;) {
      const answer = await fetch(side.readyUrl).catch(() => undefined);
      const said = await answer?.text();
      if (answer?.ok) {
        this.tooReady.push(`it said it was ready: ${said}`);
        return;
      }
      if (said?.includes('migrations')) {
        say(`before the migration, ${side.process.name} answers ${answer?.status}: ${said.trim()}`);
        break;
      }
      if (performance.now() > deadline) {
        this.tooReady.push(`it did not say that migrations are missing: ${said}`);
        return;
      }
      await sleep(50);
    }
    await sleep(BREATH_MS);
    const more = stage.balancer.given(side) - given;
    if (more > 0) this.tooReady.push(`${more} connections went to it all the same`);
  }
}

/** Messages by which release, since the schema knows both. */
async function countSides(databaseUrl: string): Promise<{ before: number; after: number }> {
  const [row] = await query(
    databaseUrl,
    `select count(*) filter (where n.message_id is null)::int, count(n.message_id)::int
     from messages m left join next_marks n on n.message_id = m.id
     where m.created_at > (select max(run_on) from migrations)`,
  );
  return { before: Number(row?.[0]), after: Number(row?.[1]) };
}
