import type { QueueRow } from '@settee/protocol/model/conversation';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useToasts } from '../../staff/toast/toasts.ts';
import { useSignedIn } from '../context.ts';

type Snoozed = Pick<QueueRow, 'conversationId' | 'visitorId' | 'visitorName'>;

/** Snoozes chats for the whole desk, with Undo. Null ends a snooze. */
export function useSnooze(): (rows: readonly Snoozed[], until: number | null) => Promise<boolean> {
  const { session } = useSignedIn();
  const toasts = useToasts();

  async function setAll(rows: readonly Snoozed[], until: number | null): Promise<boolean> {
    const answers = await Promise.all(
      rows.map(({ conversationId }) =>
        session.api('snooze', { params: { id: conversationId }, body: { until } }),
      ),
    );
    const failed = answers.find((answer) => !answer.ok);
    if (failed && !failed.ok) toasts.show({ text: failed.text || consoleTexts.snoozeFailed });
    return !failed;
  }

  return async (rows, until) => {
    if (!(await setAll(rows, until))) return false;
    const [first] = rows;
    if (until === null || !first) return true;
    toasts.show({
      text:
        rows.length === 1
          ? fillText(consoleTexts.snoozedChat, { name: visitorNameOrLabel(first) })
          : fillText(consoleTexts.snoozedMany, { count: rows.length }),
      undo: () => void setAll(rows, null),
    });
    return true;
  };
}
