import { cleanMessageText } from '@settee/protocol/model/cleanText';
import type { Note } from '@settee/protocol/model/note';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Unsent } from '../../chat/model/unsent.ts';
import { noteStored } from '../../chat/outbox/draft.ts';
import { joinNotes } from '../../staff/notes/noteList.ts';
import { readOrThrow } from '../../staff/readOrThrow.ts';
import { useConsole, useSignedIn } from '../context.ts';

/** The notes of a conversation. Read again after a reconnect. */
export function useNotes(conversationId: string, head: number) {
  const { session, staff, console, unsent } = useSignedIn();
  const { deskReads } = useConsole();
  const queries = useQueryClient();
  const key = useMemo(() => ['notes', conversationId], [conversationId]);
  const [own, setOwn] = useState<Note | null>(null);

  const { data, isError, refetch } = useQuery({
    queryKey: key,
    queryFn: async () => {
      const answer = await readOrThrow(session.api, 'readNotes', { params: { id: conversationId } });
      // The socket may have brought newer notes meanwhile.
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

  /** Resolves when the note is stored. Rejects if that is uncertain. */
  async function add({ id, text: raw }: Unsent): Promise<void> {
    const text = cleanMessageText(raw);
    setOwn({ id, conversationId, afterSeq: head, author: staff.name, text, createdAt: Date.now() });
    const answer = await session.api('addNote', { params: { id: conversationId }, body: { id, text } });
    if (!answer.ok) {
      setOwn(null);
      throw new Error(answer.text);
    }
    noteStored(unsent, id);
    queries.setQueryData<Note[]>(key, (known) => joinNotes(known ?? [], [answer.answer.note]));
  }

  return {
    // The server's version of an own note replaces the local one.
    notes: useMemo(() => joinNotes(own ? [own] : [], data ?? []), [own, data]),
    failed: isError,
    reload: () => void refetch(),
    add,
    /** The last note written here, to scroll into view. */
    wrote: own?.id,
  };
}
