import type { Config } from '../config/config.ts';
import type { Log } from '../log/log.ts';
import type { Traces } from '../ports.ts';

/** Without TRACES_URL nothing of OpenTelemetry is even loaded. */
export async function openTraces({ traces }: Pick<Config, 'traces'>, log: Log): Promise<Traces | undefined> {
  if (traces === undefined) return undefined;
  const { otlpTraces } = await import('./otlpTraces.ts');
  return otlpTraces(traces, log);
}
