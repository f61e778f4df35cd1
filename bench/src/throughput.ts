import {
  type Bare,
  type Commit,
  findPgbench,
  measureAppend,
  measureCommit,
  PGBENCH_MISSING,
  prepareArguments,
} from './append.ts';
import { Path, type PathOptions, type PathRound, type PathStep, sustainedRate } from './path.ts';
import type { BenchDatabase, Engines } from './stage.ts';

/** The rate of a large installation in a busy minute. */
const CALM_RATE = 1_000;
/** Later rounds begin at this share of the best rate so far. */
const RESUME = 0.6;

/** Everything that is compared with each other, measured within the same minutes. */
export type Round = {
  bare?: Bare;
  /** Minimal commits at the calm rate. */
  commit?: Commit;
  /** The whole product at the calm rate. */
  calm?: PathStep;
  path?: PathRound;
};

/** Nobody watches the desks of pgbench. Otherwise the gateway would index its messages during the next measurement. */
type Stage = { engines: Engines; database: BenchDatabase; desks: string[]; unwatched: string[] };
type Size = { rounds: number; appendSeconds: number; path: PathOptions };

/** PostgreSQL alone and the whole product in turn, because the machine's speed changes from minute to minute. */
export async function measureThroughput(
  parts: { append: boolean; path: boolean },
  stage: Stage,
  size: Size,
  report: { step(step: PathStep): void; log(line: string): void; note(note: string): void },
): Promise<Round[]> {
  const { engines, database, unwatched } = stage;
  const pgbench = parts.append ? await findPgbench() : undefined;
  if (parts.append && pgbench === undefined) report.note(PGBENCH_MISSING);
  if (pgbench !== undefined) await prepareArguments(database, unwatched);
  const path = parts.path ? await Path.open(stage, { ...size.path, onStep: report.step }) : undefined;
  const rounds: Round[] = [];
  let best = 0;
  try {
    for (let turn = 1; turn <= size.rounds; turn += 1) {
      report.log(`round ${turn} of ${size.rounds}`);
      const round: Round = {};
      rounds.push(round);
      if (pgbench !== undefined) {
        round.bare = await measureAppend(pgbench, database, engines, size.appendSeconds);
        round.commit = await measureCommit(pgbench, database, engines, {
          rate: CALM_RATE,
          seconds: size.appendSeconds,
        });
      }
      // Otherwise autovacuum would do it during the next measurement.
      await database.run('vacuum (analyze) messages, conversations, figures_fresh, search_heads');
      if (pgbench !== undefined) await database.run('vacuum (analyze) minimal_messages, minimal_heads');
      if (path === undefined) continue;
      round.calm = await path.attempt(CALM_RATE);
      round.path = await path.climb(RESUME * best);
      if (round.path.best !== undefined) best = Math.max(best, sustainedRate(round.path.best));
    }
  } finally {
    await path?.close();
  }
  return rounds;
}
