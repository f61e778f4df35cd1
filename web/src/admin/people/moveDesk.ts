import type { Api } from '../../net/api.ts';

export type Progress = { moved: number; total: number };

/**
 * Moves all that is at a desk, step by step, and tells how far it is. Answers what went wrong, in words; then some of it
 * may have moved, and asking again goes on from there.
 */
export async function moveDesk(
  api: Api<'moveDesk'>,
  { from, to }: { from: string; to: string },
  onProgress: (progress: Progress) => void,
): Promise<string | undefined> {
  let moved = 0;
  for (;;) {
    const step = await api('moveDesk', { params: { alias: from }, body: { to } });
    if (!step.ok) return step.text;
    const { left } = step.answer;
    moved += step.answer.moved;
    onProgress({ moved, total: moved + left });
    // A step that moves nothing has met something that it cannot move: the answer to the next call says what.
    if (left === 0 || step.answer.moved === 0) return undefined;
  }
}
