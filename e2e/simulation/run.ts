import { Random } from '../proof/random.ts';
import { Checks } from './checks.ts';
import type { Plan } from './plan.ts';
import type { Violation } from './rules.ts';
import { Steps } from './steps.ts';
import { START, scheduler } from './time.ts';
import { World } from './world.ts';

/** After everything healed, all must be at rest within this time. */
const REST_WITHIN_MS = 150_000;
const LOOK_EVERY_MS = 500;
/** How long presence may be wrong. */
const PRESENCE_MS = 60_000;

export type Result = { violations: Violation[]; hash: number; events: number; lines: string[] };

/** The generator behind Math.random and crypto of the running seed. */
let random = new Random(0);
export const drawn = (): number => random.next();

/** Runs one plan. The same plan gives the same result. */
export async function runPlan(plan: Plan, verbose = false): Promise<Result> {
  scheduler.reset();
  random = new Random(plan.seed, `pages ${plan.seed}`);
  const checks = new Checks(verbose);
  scheduler.onError = (error) => checks.violated('errors', String((error as Error).stack ?? error));
  unhandled = scheduler.onError;
  const world = new World(plan, checks);
  checks.begin(world);
  const steps = new Steps(world, checks);
  await scheduler.runUntil(START + 500);
  await scheduler.perform(() => {
    for (const browser of world.browsers()) steps.open(browser);
  });
  for (const step of plan.steps) {
    await scheduler.runUntil(START + step.at);
    await scheduler.perform(() => steps.run(step));
    if (checks.violations.length > 0) break;
  }
  if (checks.violations.length === 0) await rest(world, steps, checks);
  if (checks.violations.length === 0 && plan.long) {
    await scheduler.runUntil(scheduler.now + PRESENCE_MS);
    checks.presenceAtRest();
  }
  world.end();
  // The gateways share the list of what they write at the end of a turn, so it must be empty.
  await scheduler.runUntil(scheduler.now + 1);
  return { violations: checks.violations, hash: checks.hash, events: scheduler.events, lines: checks.lines };
}

/** Everything heals, people come back and send what they have not sent, and then all must agree. */
async function rest(world: World, steps: Steps, checks: Checks): Promise<void> {
  world.heal();
  // Gateways that were stopping or starting.
  await scheduler.runUntil(scheduler.now + 4_000);
  await scheduler.perform(() => comeBack(world, steps));
  await scheduler.runUntil(scheduler.now + 2_000);
  for (const id of world.conversationIds) {
    await scheduler.perform(() => {
      for (const browser of world.staff) {
        const [page] = browser.pages;
        if (page && hasAlias(world, browser.staffId, id)) steps.show(page, id);
      }
    });
    // Twice: a reply may be returned because a colleague answered.
    for (let time = 0; time < 3; time += 1) {
      await scheduler.runUntil(scheduler.now + 700);
      await scheduler.perform(() => {
        for (const browser of world.browsers()) {
          const [page] = browser.pages;
          if (page?.composedIn() === id) steps.sendDraft(page);
        }
      });
    }
  }
  const until = scheduler.now + REST_WITHIN_MS;
  let found = await checks.atRest();
  while (found.length > 0 && scheduler.now < until && checks.violations.length === 0) {
    // The browser wakes the service worker, because the network is back.
    await scheduler.perform(() => {
      for (const browser of world.visitors) void steps.flush(browser);
    });
    await scheduler.runUntil(scheduler.now + LOOK_EVERY_MS);
    found = await checks.atRest();
  }
  for (const { rule, what } of found) checks.violated(rule, what);
}

/** The network returns, and people open their pages again. */
function comeBack(world: World, steps: Steps): void {
  for (const page of world.openPages()) page.wake();
  for (const browser of world.staff) {
    const isSignedOut = world.state.sessions.get(browser.sessionId)?.revokedAt !== null;
    if (isSignedOut || browser.pages.some((page) => page.signedOut)) steps.signIn(browser);
  }
  for (const browser of world.browsers()) {
    for (const page of [...browser.pages]) if (page.status() === 'ended') steps.close(page);
    if (browser.pages.length === 0) steps.open(browser);
  }
}

function hasAlias(world: World, staffId: string, conversationId: string): boolean {
  return (
    world.state.staff.get(staffId)?.alias === world.state.conversations.get(conversationId)?.handlerAlias
  );
}

let unhandled: (error: unknown) => void = () => {};
process.on('unhandledRejection', (error) => unhandled(error));
