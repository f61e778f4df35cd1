import type { AdminRow } from '@settee/protocol/conversationAdminCalls';
import { useCallback, useMemo, useState } from 'react';

export type Selection = {
  /** Of the rows that are shown, in their order. */
  selected: readonly string[];
  select: (id: string, selected: boolean) => void;
  selectAll: () => void;
  clear: () => void;
};

/** What is ticked. What is no longer in the list is not acted upon. */
export function useSelection(rows: readonly AdminRow[] | undefined): Selection {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const select = useCallback((id: string, selected: boolean) => {
    setTicked((before) => {
      const next = new Set(before);
      if (selected) next.add(id);
      else next.delete(id);
      return next;
    });
  }, []);
  const selected = useMemo(
    () => (rows ?? []).map(({ conversationId }) => conversationId).filter((id) => ticked.has(id)),
    [rows, ticked],
  );
  return {
    selected,
    select,
    selectAll: () => setTicked(new Set(rows?.map(({ conversationId }) => conversationId))),
    clear: () => setTicked(new Set()),
  };
}
