import { AUTHORS_MAX, type MessageAuthor } from '@settee/protocol/model/author';
import type { Message } from '@settee/protocol/model/message';
import { useCallback, useEffect, useRef, useState } from 'react';
import { OWN } from '../chat/model/grouping.ts';
import type { SessionStore } from './session.ts';

/** By message number. Null if the author is unknown. */
export type KnownAuthors = ReadonlyMap<number, MessageAuthor['author'] | null>;

type Reader = {
  session: Pick<SessionStore, 'api'>;
  staff: { staffId: string };
  /** Authors that an earlier visit read. */
  authorsOf?: (conversationId: string) => KnownAuthors;
  keepAuthors?: (conversationId: string, authors: KnownAuthors) => void;
};

const nobody: KnownAuthors = new Map();

/** First names of the colleagues who wrote the desk's messages, by number. One component per conversation. */
export function useAuthors(
  { session, staff, authorsOf, keepAuthors }: Reader,
  conversationId: string,
  messages: readonly Message[],
): (seq: number) => string | undefined {
  const [known, setKnown] = useState(() => authorsOf?.(conversationId) ?? nobody);
  const asking = useRef(false);
  const range = rangeToAsk(messages, known);
  const { from, to } = range ?? { from: 0, to: 0 };

  useEffect(() => {
    if (to === 0 || asking.current) return;
    asking.current = true;
    const query = { from: String(from), to: String(to) };
    void session.api('readAuthors', { params: { id: conversationId }, query }).then((result) => {
      asking.current = false;
      const named = new Map(result.ok ? result.answer.authors.map(({ seq, author }) => [seq, author]) : []);
      // Unknown authors are not asked for again: a gateway of the previous release does not know the call.
      const grown = new Map(known);
      for (let seq = from; seq <= to; seq += 1) grown.set(seq, named.get(seq) ?? null);
      setKnown(grown);
      if (result.ok) keepAuthors?.(conversationId, grown);
    });
  }, [session, keepAuthors, conversationId, known, from, to]);

  return useCallback(
    (seq: number) => {
      const author = known.get(seq);
      return author?.id === staff.staffId ? OWN : author?.name.split(' ')[0];
    },
    [known, staff.staffId],
  );
}

/** The newest messages whose authors are unknown. */
export function rangeToAsk(
  messages: readonly Pick<Message, 'seq' | 'sender'>[],
  known: ReadonlyMap<number, unknown>,
): { from: number; to: number } | undefined {
  const unknown = messages.filter(({ seq, sender }) => sender === 'owner' && !known.has(seq));
  const to = unknown.at(-1)?.seq;
  const from = unknown[0]?.seq;
  if (from === undefined || to === undefined) return undefined;
  return { from: Math.max(from, to - AUTHORS_MAX + 1), to };
}
