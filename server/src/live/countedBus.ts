import type { Metrics } from '../metrics/metrics.ts';
import type { Bus } from '../ports.ts';

/** The bus, with every hint counted that goes out or comes in. */
export function countedBus(bus: Bus, metrics: Metrics): Bus {
  metrics.watchBus(() => bus.isConnected());
  return {
    subscribe: (pattern, heard) =>
      bus.subscribe(pattern, (subject, payload) => {
        metrics.hint('in');
        heard(subject, payload);
      }),
    publish(subject, payload) {
      metrics.hint('out');
      bus.publish(subject, payload);
    },
    ready: () => bus.ready(),
    onGap: (missed) => bus.onGap(missed),
    isConnected: () => bus.isConnected(),
    close: () => bus.close(),
  };
}
