import { useCallback, useMemo, useState } from 'react';

export type Selection = ReturnType<typeof useSelection>;

/** The selected rows. Rows that left the list are dropped. Another `list` clears the selection. */
export function useSelection(ids: readonly string[], list = '') {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [of, setOf] = useState(list);
  // Not in an effect, which would show the new list with the old selection for a moment.
  if (of !== list) {
    setOf(list);
    setTicked(new Set());
  }
  const select = useCallback((id: string, selected: boolean) => {
    setTicked((before) => {
      const next = new Set(before);
      if (selected) next.add(id);
      else next.delete(id);
      return next;
    });
  }, []);
  /** Selected rows that are in the list, in its order. */
  const selected = useMemo(() => ids.filter((id) => ticked.has(id)), [ids, ticked]);
  return {
    selected,
    select,
    /** For the box that selects all rows. */
    ticks: {
      selected: selected.length,
      shown: ids.length,
      onAll: (all: boolean) => setTicked(new Set(all ? ids : [])),
    },
    clear: () => setTicked(new Set()),
  };
}
