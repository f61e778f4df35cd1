import type { QueueRow } from '@settee/protocol/model/conversation';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { useSignedIn } from '../context.ts';
import { shapes } from '../shapes.ts';
import styles from './SelectionBar.module.css';
import { SnoozeDialog } from './SnoozeDialog.tsx';
import { useSnooze } from './useSnooze.ts';

type SelectionBarProps = {
  rows: readonly QueueRow[];
  onAll: () => void;
  onDone: () => void;
};

export function SelectionBar({ rows, onAll, onDone }: SelectionBarProps) {
  const { session, console } = useSignedIn();
  const snooze = useSnooze();
  const [asking, setAsking] = useState<'close' | 'snooze' | null>(null);
  const count = rows.length;
  const none = rows.length === 0;
  const only = rows.length === 1 ? rows[0] : undefined;

  const setStatus = (ids: readonly string[], status: 'open' | 'closed', from: 'open' | 'closed') =>
    Promise.all(
      ids.map(async (id) => {
        const answer = await session.api('setStatus', { params: { id }, body: { status, from } });
        return { id, ok: answer.ok };
      }),
    );

  async function closeAll() {
    const ids = rows.map(({ conversationId }) => conversationId);
    const answers = await setStatus(ids, 'closed', 'open');
    const closed = answers.filter(({ ok }) => ok).map(({ id }) => id);
    for (const { conversationId, alias } of rows)
      if (closed.includes(conversationId)) console.removeFromQueue(conversationId, alias);
    const text =
      closed.length < ids.length
        ? fillText(consoleTexts.closedSome, { count: closed.length, failed: ids.length - closed.length })
        : only
          ? fillText(consoleTexts.closedChat, { name: visitorNameOrLabel(only) })
          : fillText(consoleTexts.closedMany, { count: closed.length });
    const undoable = closed.length > 0 && {
      undo: () => void setStatus(closed, 'open', 'closed'),
      closed: rows.filter(({ conversationId }) => closed.includes(conversationId)),
    };
    // Without rows, this bar is gone.
    onDone();
    return { ok: true as const, answer: { text, ...undoable } };
  }

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; these act at once. */}
      <div className={styles.bar} role="group" aria-label={consoleTexts.selectChats}>
        <span className={styles.count} role="status">
          {fillText(consoleTexts.selected, { count })}
        </span>
        <span className={styles.actions}>
          <Button look="bare" className={styles.tool} onClick={onAll}>
            {consoleTexts.selectAll}
          </Button>
          <Button
            look="bare"
            className={styles.tool}
            disabled={none}
            aria-label={consoleTexts.snooze}
            title={consoleTexts.snooze}
            onClick={() => setAsking('snooze')}
          >
            <Shape paths={shapes.snooze} />
          </Button>
          <Button look="bare" className={styles.main} disabled={none} onClick={() => setAsking('close')}>
            <Icon name="check" size={17} />
            {consoleTexts.close}
          </Button>
        </span>
      </div>
      {asking === 'close' && (
        <FormDialog
          title={
            only
              ? fillText(consoleTexts.closeOneTitle, { name: visitorNameOrLabel(only) })
              : fillText(consoleTexts.closeManyTitle, { count })
          }
          note={consoleTexts.closeManyNote}
          action={only ? consoleTexts.close : fillText(consoleTexts.closeMany, { count })}
          onSubmit={closeAll}
          say={(toast) => toast}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'snooze' && (
        <SnoozeDialog
          title={
            only
              ? fillText(consoleTexts.snoozeTitle, { name: visitorNameOrLabel(only) })
              : fillText(consoleTexts.snoozeTitleMany, { count })
          }
          onClose={() => setAsking(null)}
          onChoose={(until) => void snooze(rows, until).then(onDone)}
        />
      )}
    </>
  );
}
