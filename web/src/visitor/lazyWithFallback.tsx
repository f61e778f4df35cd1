import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

/**
 * A part that the page asks for when it is first shown. Where it cannot be had, `instead` takes its place, until it is
 * shown anew: then it is asked for again.
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
      // It may have come between the first drawing and now.
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
