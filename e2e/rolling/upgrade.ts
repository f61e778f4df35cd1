import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../proof/database.ts';
import type { GatewayProcess } from '../proof/gatewayProcess.ts';
import type { PageDevice } from '../proof/page.ts';
import type { TimedRecorder } from '../proof/timedRecorder.ts';
import { until } from '../proof/until.ts';
import { STALL_MAX_MS } from './properties.ts';
import { migrateWith } from './releases.ts';
import type { Returns } from './returns.ts';
import type { Side, Stage } from './stage.ts';

/** Longer than a stopping gateway may take. */
const EXITS_WITHIN_MS = 20_000;
const READY_WITHIN_MS = 90_000;
const SIDE_BY_SIDE_MS = 3_000;
const BREATH_MS = 700;

type Parts = {
  stage: Stage;
  returns: Returns;
  recorder: TimedRecorder;
  /** How long to wait for pages to reconnect. */
  patienceMs: number;
  log: (line: string) => void;
};

/** The steps of an operator, and their results. */
export class Upgrade {
  readonly badExits: string[] = [];
  readonly readyTooEarly: string[] = [];
  readonly stalls: string[] = [];
  readonly unusedReleases: string[] = [];
  /** Milliseconds from SIGTERM to exit, for each process. */
  readonly exits: number[] = [];
  /** The longest wait for an ack, before and during the migration. */
  longestWaits = { before: 0, during: 0 };
  migrationMs = 0;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Restarts a gateway, as the same or another release. */
  async restart(side: Side): Promise<void> {
    await this.#end(side.process);
    await this.#waitForPages();
    await side.process.start();
    await this.#waitUntilReady(side);
  }

  /** Starts the first gateway as the next release before the migration. It must wait. */
  async begin(build: string): Promise<void> {
    const { stage } = this.#parts;
    const [first] = stage.sides;
    first.process.takeBuild(build);
    await this.#end(first.process);
    await this.#waitForPages();
    const serves = first.process.launch();
    await this.#reportsMissingMigrations(first);
    await this.#migrate(build);
    await serves();
    await this.#waitUntilReady(first);
  }

  /** Runs both releases for a while, then upgrades the second gateway and the worker. */
  async finish(build: string, phones: readonly PageDevice[]): Promise<void> {
    const { stage, log } = this.#parts;
    // Only new connections reach the gateway that has none.
    for (const phone of phones) phone.dropConnection();
    const { before, after } = await this.#runSideBySide();
    log(`both releases: ${before} messages by the old one and ${after} by the new one`);
    if (before === 0) this.unusedReleases.push('the previous release stored nothing after the migration');
    if (after === 0) this.unusedReleases.push('the next release stored nothing');

    const [, second] = stage.sides;
    second.process.takeBuild(build);
    await this.restart(second);
    stage.worker.takeBuild(build);
    await this.#end(stage.worker);
    await stage.worker.start();
  }

  /** Runs both releases for a while, on a busy machine until both have stored a message. */
  async #runSideBySide(): Promise<{ before: number; after: number }> {
    const deadline = performance.now() + READY_WITHIN_MS;
    for (;;) {
      await sleep(SIDE_BY_SIDE_MS);
      const sides = await countSides(this.#parts.stage.databaseUrl);
      if ((sides.before > 0 && sides.after > 0) || performance.now() > deadline) return sides;
    }
  }

  async #migrate(build: string): Promise<void> {
    const { stage, recorder, log } = this.#parts;
    const began = performance.now();
    this.longestWaits.before = Math.max(0, ...recorder.waits(began - BREATH_MS, began));
    await migrateWith(build, stage.ownerEnv);
    const ended = performance.now();
    await sleep(BREATH_MS);
    this.migrationMs = Math.round(ended - began);
    this.longestWaits.during = Math.max(
      0,
      ...recorder.waits(began, performance.now()),
      ...recorder.waiting(),
    );
    const longest = Math.round(this.longestWaits.during);
    if (longest > STALL_MAX_MS) this.stalls.push(`a message waited for ${longest} ms`);
    log(`migrated under load in ${this.migrationMs} ms; longest wait for an ack ${longest} ms`);
  }

  async #end(process: GatewayProcess): Promise<void> {
    const { code, tookMs } = await process.terminate(EXITS_WITHIN_MS);
    this.exits.push(tookMs);
    this.#parts.log(`${process.name} ended with ${code} after ${tookMs} ms`);
    if (code !== 0) this.badExits.push(`${process.name} ended with ${code} after ${tookMs} ms`);
  }

  async #waitUntilReady(side: Side): Promise<void> {
    await until(() => this.#parts.stage.balancer.isReady(side), READY_WITHIN_MS);
    await this.#waitForPages();
  }

  async #waitForPages(): Promise<void> {
    await until(() => this.#parts.returns.away().length === 0, this.#parts.patienceMs);
    await sleep(BREATH_MS);
  }

  async #reportsMissingMigrations(side: Side): Promise<void> {
    const { stage, log } = this.#parts;
    const given = stage.balancer.given(side);
    const deadline = performance.now() + READY_WITHIN_MS;
    for (;;) {
      const answer = await fetch(side.readyUrl).catch(() => undefined);
      const body = await answer?.text();
      if (answer?.ok) {
        this.readyTooEarly.push(`it reported that it is ready: ${body}`);
        return;
      }
      if (body?.includes('migrations')) {
        log(`before the migration, ${side.process.name} answers ${answer?.status}: ${body.trim()}`);
        break;
      }
      if (performance.now() > deadline) {
        this.readyTooEarly.push(`it did not report the missing migrations: ${body}`);
        return;
      }
      await sleep(50);
    }
    await sleep(BREATH_MS);
    const more = stage.balancer.given(side) - given;
    if (more > 0) this.readyTooEarly.push(`it got ${more} connections`);
  }
}

/** The number of messages that each release stored since the migration. */
async function countSides(databaseUrl: string): Promise<{ before: number; after: number }> {
  const [row] = await query(
    databaseUrl,
    `select count(*) filter (where n.message_id is null)::int, count(n.message_id)::int
     from messages m left join next_marks n on n.message_id = m.id
     where m.created_at > (select max(run_on) from migrations)`,
  );
  return { before: Number(row?.[0]), after: Number(row?.[1]) };
}
