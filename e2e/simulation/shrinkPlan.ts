import { CALM, type Plan, type Rates } from './plan.ts';
import type { Rule } from './rules.ts';
import { shrink } from './shrink.ts';

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
