import type { SavedReply } from '@settee/protocol/model/savedReply';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { readOrThrow } from '../../staff/readOrThrow.ts';
import { useSignedIn } from '../context.ts';

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

/** Updates the list after the server accepted a change. */
export function useReplyChanges() {
  const { session } = useSignedIn();
  const queries = useQueryClient();

  function keep(change: (known: SavedReply[]) => SavedReply[]): void {
    queries.setQueryData<SavedReply[]>(KEY, (known) => known && sorted(change(known)));
  }

  return {
    async save({ id, ...body }: Pick<SavedReply, 'id' | 'shortcut' | 'text' | 'shared'>) {
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

function sorted(replies: readonly SavedReply[]): SavedReply[] {
  return replies.toSorted((a, b) => a.shortcut.localeCompare(b.shortcut));
}
