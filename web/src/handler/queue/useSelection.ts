import { useCallback, useEffect, useState } from 'react';

export type Selection = ReturnType<typeof useSelection>;

/** The selected conversations. Another list starts without a selection. */
export function useSelection(list: string) {
  /** Null while not selecting. */
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null);
  const stop = useCallback(() => setSelected(null), []);
  const toggle = useCallback(
    (id: string, on: boolean) =>
      setSelected((before) => {
        const next = new Set(before);
        if (on) next.add(id);
        else next.delete(id);
        return next;
      }),
    [],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection belongs to its list
  useEffect(() => stop, [list, stop]);
  return {
    selected,
    start: () => setSelected(new Set()),
    stop,
    toggle,
    selectAll: (ids: readonly string[]) => setSelected(new Set(ids)),
  };
}
