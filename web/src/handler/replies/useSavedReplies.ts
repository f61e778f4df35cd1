import type { SavedReply } from '@settee/protocol/model/savedReply';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { readOrThrow } from '../../staff/readOrThrow.ts';
import { useConsole, useSignedIn } from '../context.ts';
import { deskOf, profileAt } from '../queue/profileAt.ts';

const KEY = ['replies'];

/** Replies change rarely. */
const FRESH_FOR_MS = 60_000;

/** Own and shared saved replies, sorted by shortcut. */
export function useSavedReplies(): UseQueryResult<SavedReply[]> {
  const { session } = useSignedIn();
  return useQuery({
    queryKey: KEY,
    staleTime: FRESH_FOR_MS,
    queryFn: async () => {
      const { replies } = await readOrThrow(session.api, 'readReplies', {});
      return sorted(replies);
    },
  });
}

/** Those that fit a chat: for all profiles, and of its own. */
export function useChatReplies(conversationId: string | undefined) {
  const { console } = useSignedIn();
  const { profiles, queue } = useConsole();
  const { data: all, isError, refetch } = useSavedReplies();
  const chat =
    queue?.find((row) => row.conversationId === conversationId) ??
    (conversationId === undefined ? undefined : console.openConversation(conversationId).state().view);
  const slug = profileAt(profiles, deskOf(chat))?.slug;
  const several = profiles.length > 0;
  const data = useMemo(
    () => all?.filter(({ profile }) => !several || !profile || profile === slug),
    [all, several, slug],
  );
  return { data, isError, refetch };
}

/** Updates the list after the server accepted a change. */
export function useReplyChanges() {
  const { session } = useSignedIn();
  const queries = useQueryClient();

  function keep(change: (known: SavedReply[]) => SavedReply[]): void {
    queries.setQueryData<SavedReply[]>(KEY, (known) => known && sorted(change(known)));
  }

  return {
    async save({ id, ...body }: Pick<SavedReply, 'id' | 'shortcut' | 'text' | 'shared' | 'profile'>) {
      const answer = await session.api('saveReply', { params: { id }, body });
      if (answer.ok) keep((known) => [...known.filter((each) => each.id !== id), answer.answer.reply]);
      return answer;
    },
    async remove(id: string) {
      const answer = await session.api('deleteReply', { params: { id } });
      // Another person may have deleted it meanwhile.
      if (answer.ok || answer.code === 'not_found') keep((known) => known.filter((each) => each.id !== id));
      return answer;
    },
  };
}

/** Of two with the same shortcut, the one of a profile comes before the one for all. */
function sorted(replies: readonly SavedReply[]): SavedReply[] {
  return replies.toSorted(
    (a, b) => a.shortcut.localeCompare(b.shortcut) || Number(!a.profile) - Number(!b.profile),
  );
}
