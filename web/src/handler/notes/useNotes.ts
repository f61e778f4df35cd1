import { cleanMessageText } from '@settee/protocol/model/cleanText';
import type { Note } from '@settee/protocol/model/note';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { joinNotes } from '../../staff/notes/noteList.ts';
import { readOrThrow } from '../../staff/readOrThrow.ts';
import { useConsole, useSignedIn } from '../context.ts';
import { clearPendingNote, noteIdFor, storePendingNote } from './pendingNote.ts';

type Notes = {
  notes: readonly Note[];
  /** They are not all here, and must not look as if they were. */
  failed: boolean;
  reload: () => void;
  /** Resolves once the note is stored; fails when that is not certain. */
  add: (text: string) => Promise<void>;
  /** The last one written here, which must come into sight. */
  wrote: string | undefined;
};

/** The internal notes of a conversation: read, then kept by the socket, and read again when it was away. */
export function useNotes(conversationId: string, head: number): Notes {
  const { session, staff, console, drafts } = useSignedIn();
  const { deskReads } = useConsole();
  const queries = useQueryClient();
  const key = useMemo(() => ['notes', conversationId], [conversationId]);
  const [own, setOwn] = useState<Note | null>(null);

  const { data, isError, refetch } = useQuery({
    queryKey: key,
    queryFn: async () => {
      const answer = await readOrThrow(session.api, 'readNotes', { params: { id: conversationId } });
      // What the socket brought meanwhile may be newer than this answer.
      return joinNotes(queries.getQueryData<Note[]>(key) ?? [], answer.notes);
    },
  });

  useEffect(
    () =>
      console.onNote((note) => {
        if (note.conversationId !== conversationId) return;
        queries.setQueryData<Note[]>(key, (known) => joinNotes(known ?? [], [note]));
      }),
    [console, conversationId, queries, key],
  );

  const deskReadsBefore = useRef(deskReads);
  useEffect(() => {
    if (deskReads === deskReadsBefore.current) return;
    deskReadsBefore.current = deskReads;
    void refetch();
  }, [deskReads, refetch]);

  async function add(raw: string): Promise<void> {
    const text = cleanMessageText(raw);
    const id = noteIdFor(drafts, conversationId, text);
    setOwn({ id, conversationId, afterSeq: head, author: staff.name, text, createdAt: Date.now() });
    const answer = await session.api('addNote', { params: { id: conversationId }, body: { id, text } });
    if (!answer.ok) {
      // It may be stored although no answer came.
      storePendingNote(drafts, conversationId, { id, text });
      setOwn(null);
      throw new Error(answer.text);
    }
    clearPendingNote(drafts, conversationId);
    queries.setQueryData<Note[]>(key, (known) => joinNotes(known ?? [], [answer.answer.note]));
  }

  return {
    // What the server says of an own note counts for more than what was shown at once.
    notes: useMemo(() => joinNotes(own ? [own] : [], data ?? []), [own, data]),
    failed: isError,
    reload: () => void refetch(),
    add,
    wrote: own?.id,
  };
}
