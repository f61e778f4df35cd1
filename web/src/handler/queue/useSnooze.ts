import type { QueueRow } from '@settee/protocol/model/conversation';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useChange } from '../../staff/useChange.ts';
import { useSignedIn } from '../context.ts';

type Snoozed = Pick<QueueRow, 'conversationId' | 'visitorId' | 'visitorName'>;

/** Snoozes chats for the whole desk, with Undo. Null ends a snooze. */
export function useSnooze(): (rows: readonly Snoozed[], until: number | null) => Promise<boolean> {
  const { session } = useSignedIn();
  const { run } = useChange('toast');

  async function setAll(rows: readonly Snoozed[], until: number | null) {
    const answers = await Promise.all(
      rows.map(({ conversationId: id }) => session.api('snooze', { params: { id }, body: { until } })),
    );
    return answers.find(({ ok }) => !ok);
  }

  function textOf(rows: readonly Snoozed[]): string {
    const [only] = rows.length === 1 ? rows : [];
    return only
      ? fillText(consoleTexts.snoozedChat, { name: visitorNameOrLabel(only) })
      : fillText(consoleTexts.snoozedMany, { count: rows.length });
  }

  return (rows, until) =>
    run(() => setAll(rows, until), {
      of: rows.map(({ conversationId }) => conversationId).join(),
      say: () =>
        until === null
          ? undefined
          : { text: textOf(rows), undo: () => void run(() => setAll(rows, null), { of: 'undo' }) },
    });
}
