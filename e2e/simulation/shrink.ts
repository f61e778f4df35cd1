import { CALM, type Plan, type Rates } from './plan.ts';
import type { Rule } from './rules.ts';

/** The items with which it still fails, after leaving out as many as possible (ddmin). */
export async function shrink<Item>(
  items: readonly Item[],
  fails: (fewer: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let left = items;
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < left.length; ) {
      const fewer = [...left.slice(0, from), ...left.slice(from + size)];
      if (await fails(fewer)) left = fewer;
      else from += size;
    }
  }
  return left;
}

const RATES = Object.keys(CALM) as (keyof Rates)[];

/** Removes steps and faults while the plan still breaks the same rule. */
export async function shrinkPlan(
  plan: Plan,
  rule: Rule,
  breaks: (plan: Plan, rule: Rule) => Promise<boolean>,
): Promise<Plan> {
  const steps = [...(await shrink(plan.steps, (fewer) => breaks({ ...plan, steps: [...fewer] }, rule)))];
  let smallest = { ...plan, steps };
  for (const name of RATES) {
    const calmer = { ...smallest, rates: { ...smallest.rates, [name]: CALM[name] } };
    if (smallest.rates[name] !== CALM[name] && (await breaks(calmer, rule))) smallest = calmer;
  }
  return smallest;
}

/** The options that repeat a shrunk plan. */
export function optionsOf(plan: Plan, whole: Plan): string {
  const steps = plan.steps.map((step) => whole.steps.indexOf(step)).join(',');
  const calm = RATES.filter((name) => plan.rates[name] !== whole.rates[name]).join(',');
  return `--seed ${plan.seed} --steps ${steps}${calm && ` --calm ${calm}`}`;
}
