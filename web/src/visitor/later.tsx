import { type ComponentType, lazy } from 'react';

/** A part that the page asks for when it is first shown. Where it cannot be had, `instead` takes its place. */
export function later<Props>(
  load: () => Promise<ComponentType<Props>>,
  instead: ComponentType<Props>,
): ComponentType<Props> {
  return lazy(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: instead }),
    ),
  );
}
