import type { Metric, Registry } from 'prom-client';
import type { Distribution } from '../metrics/distribution.ts';

/** One line of what is read. */
type Value = { metricName: string; labels: Record<string, string | number>; value: number };

/** A metric whose numbers are kept by ourselves and handed to prom-client when somebody reads. */
export function register(
  registry: Registry,
  type: 'histogram' | 'counter',
  { name, help, read }: { name: string; help: string; read: (name: string) => Value[] },
): void {
  const get = async () => ({ name, help, type, values: read(name), aggregator: 'sum' });
  // A registry asks a metric for nothing but this.
  registry.registerMetric({ name, help, get } as unknown as Metric<string>);
}

export function bucketsOf(name: string, of: Distribution, labels: Record<string, string> = {}): Value[] {
  const { sum, count, upTo } = of.read();
  return [
    ...upTo.map((each) => ({
      metricName: `${name}_bucket`,
      labels: { le: each.bound, ...labels },
      value: each.count,
    })),
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
