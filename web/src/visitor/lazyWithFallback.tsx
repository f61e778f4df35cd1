import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

/**
 * A component that loads when it is first rendered. If loading fails, it renders `instead` and retries on the next
 * mount.
 */
export function lazyWithFallback<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: (props: Props) => ReactNode = () => null,
  meanwhile: () => ReactNode = () => null,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function LazyComponent(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      // It may have loaded since the first render.
      if (loaded) return setPart(() => loaded);
      load().then(
        (part) => {
          loaded = part;
          setPart(() => part);
        },
        (error: unknown) => {
          console.error('Could not load a part of the page:', error);
          setFailed(true);
        },
      );
    }, []);
    if (Part) return <Part {...props} />;
    return failed ? instead(props) : meanwhile();
  };
}
