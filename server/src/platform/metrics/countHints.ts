import type { Bus } from '../ports/ports.ts';
import type { Metrics } from './metrics.ts';

/** Counts every hint that goes out or comes in. */
export function countHints(bus: Bus, metrics: Metrics): Bus {
  type Listener = Parameters<Bus['subscribe']>[1];
  metrics.watchBus(() => bus.isConnected());
  /** Many subscriptions share a listener. */
  const counting = new WeakMap<Listener, Listener>();
  return {
    ...bus,
    subscribe(pattern, listener) {
      const counted: Listener =
        counting.get(listener) ??
        ((subject, payload) => {
          metrics.hint('in');
          listener(subject, payload);
        });
      counting.set(listener, counted);
      return bus.subscribe(pattern, counted);
    },
    publish(subject, payload) {
      metrics.hint('out');
      bus.publish(subject, payload);
    },
  };
}
