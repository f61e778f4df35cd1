import type { Note } from '@settee/protocol/model/note';
import { useEffect, useMemo } from 'react';
import { notesBySeq } from '../../staff/notes/noteList.ts';
import { useAdmin } from '../context.ts';
import { useManaged } from '../useManaged.ts';

/** The notes of a conversation, by the message that each stands behind; read again when there is a new one. */
export function useThreadNotes(id: string): {
  notes: Map<number, Note[]>;
  failed: boolean;
  reload: () => void;
} {
  const { live } = useAdmin();
  const { data, isError, refetch } = useManaged('conversations', 'readNotes', { params: { id } });
  useEffect(
    () =>
      live.line.onFrame((frame) => {
        if (frame.type === 'note' && frame.note.conversationId === id) void refetch();
      }),
    [live, id, refetch],
  );
  return {
    notes: useMemo(() => notesBySeq(data?.notes ?? []), [data]),
    failed: isError,
    reload: () => void refetch(),
  };
}
