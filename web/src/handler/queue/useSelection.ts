import { useCallback, useEffect, useState } from 'react';

export type Selection = {
  /** Null while not selecting. */
  selected: ReadonlySet<string> | null;
  start(): void;
  stop(): void;
  toggle(id: string, on: boolean): void;
  selectAll(ids: readonly string[]): void;
};

/** The selected conversations. Another list starts without a selection. */
export function useSelection(list: string): Selection {
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
    selectAll: (ids) => setSelected(new Set(ids)),
  };
}
