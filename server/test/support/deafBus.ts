import type { Bus } from '../../src/platform/ports/ports.ts';

/** A bus that can lose every incoming hint, or be slow to confirm a subscription. */
export type DeafBus = {
  through: (bus: Bus) => Bus;
  deaf: boolean;
  /** The subjects of the lost hints. */
  lost: string[];
  /** While it is set, `ready` waits for it. */
  busy: Promise<void> | undefined;
};

export function deafBus(): DeafBus {
  const control: DeafBus = {
    deaf: false,
    lost: [],
    busy: undefined,
    through: (bus) => ({
      ...bus,
      subscribe: (pattern, received) =>
        bus.subscribe(pattern, (subject, payload) => {
          if (control.deaf) control.lost.push(subject);
          else received(subject, payload);
        }),
      ready: async () => {
        await bus.ready();
        await control.busy;
      },
    }),
  };
  return control;
}
