import { parentPort, workerData } from 'node:worker_threads';
import type { Patch } from '../proof/patch.ts';
import { replaceModules } from './hooks.ts';
import type { Plan } from './plan.ts';
import { installPage } from './replaced/browser.ts';
import type { Violation } from './rules.ts';
import { installTime } from './time.ts';

/** What a worker is asked: to run plans one after another, until one fails if `first`. */
export type Asked = { plans: readonly Plan[]; first?: boolean; verbose?: boolean };
export type Ran = { seed: number; violations: Violation[]; hash: number; events: number; lines: string[] };

// Before the product is imported: it must get the virtual clock and the model.
let random = (): number => 0;
installTime(() => random());
installPage();
await replaceModules(workerData as Patch | undefined);
const { runPlan, drawn } = await import('./run.ts');
random = drawn;
// Pages log their failures. Here those are on purpose.
console.error = () => {};
// To find the callers of every error takes long, and only a trace shows them.
const { stackTraceLimit } = Error;

parentPort?.on('message', ({ plans, first = false, verbose = false }: Asked) => {
  void (async () => {
    Error.stackTraceLimit = verbose ? stackTraceLimit : 0;
    const ran: Ran[] = [];
    for (const plan of plans) {
      const result = { seed: plan.seed, ...(await runPlan(plan, verbose)) };
      ran.push(result);
      if (first && result.violations.length > 0) break;
    }
    parentPort?.postMessage(ran);
  })();
});
