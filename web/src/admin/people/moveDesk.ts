import type { Api } from '../../net/api.ts';

export type Progress = { moved: number; total: number };

/**
 * Moves a desk's work in steps and reports progress. Returns an error text or undefined. After an error,
 * calling again continues.
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
    // Nothing moved: the next call's answer says why.
    if (left === 0 || step.answer.moved === 0) return undefined;
  }
}
