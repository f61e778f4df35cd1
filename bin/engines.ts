// npm run engines -- start|stop|status|env [--instance NAME] [--require]
import { parseArgs } from 'node:util';
import {
  engineStatus,
  runningInstances,
  runningUrls,
  startEngines,
  stopEngines,
} from '../tools/engines/engines.ts';

const usage = 'Usage: npm run engines -- start|stop|status|env [--instance NAME] [--require]';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { instance: { type: 'string' }, require: { type: 'boolean' } },
  });
  const [command, ...rest] = positionals;
  if (rest.length > 0) throw new Error(usage);
  const instance = values.instance === undefined ? {} : { instance: values.instance };
  if (command === 'start') {
    await startEngines({ ...instance, require: values.require ?? false });
    await printStatus(instance);
  } else if (command === 'stop') await stopEngines(instance);
  else if (command === 'status') await printEach(values.instance);
  else if (command === 'env') printEnvironment(instance);
  else throw new Error(usage);
}

/** The given instance, or all that run in this checkout. */
async function printEach(named: string | undefined): Promise<void> {
  const instances = named === undefined ? runningInstances() : [named];
  if (instances.length === 0) return printStatus({});
  for (const instance of instances) {
    console.log(`${instance}:`);
    await printStatus({ instance });
  }
}

async function printStatus(instance: { instance?: string }): Promise<void> {
  for (const { name, state, address = '', pid } of await engineStatus(instance)) {
    const process = pid === undefined ? '' : `pid ${pid}`;
    console.log([name.padEnd(9), state.padEnd(14), address.padEnd(16), process].join(' ').trimEnd());
  }
}

function printEnvironment(instance: { instance?: string }): void {
  const lines = Object.entries(runningUrls(instance)).map(([name, value]) => `${name}=${value}`);
  if (lines.length === 0) throw new Error('No engine is running: npm run engines -- start');
  console.log(lines.join('\n'));
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
