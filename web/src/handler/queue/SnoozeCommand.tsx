import { isSnoozed } from '@settee/protocol/model/queue';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useCurrentMinute } from '../../staff/useCurrentMinute.ts';
import { useConsole } from '../context.ts';
import { useCommands } from '../keys/commands.ts';
import { SnoozeDialog } from './SnoozeDialog.tsx';
import { useSnooze } from './useSnooze.ts';

/** Snoozes the open conversation, from its menu or the palette. */
export function SnoozeCommand({ openId }: { openId: string | undefined }) {
  const { queue } = useConsole();
  const now = useCurrentMinute();
  const navigate = useNavigate();
  // Back to the same list.
  const { search } = useLocation();
  const snooze = useSnooze();
  const [asking, setAsking] = useState(false);
  const row = queue?.find(({ conversationId }) => conversationId === openId);
  const snoozed = row !== undefined && isSnoozed(row, now);

  useCommands(
    row === undefined
      ? []
      : snoozed
        ? [{ id: 'unsnooze', name: consoleTexts.unsnooze, run: () => void snooze([row], null) }]
        : [{ id: 'snooze', name: consoleTexts.snooze, run: () => setAsking(true) }],
  );

  // Opening a chat whose snooze is over ends the snooze.
  const back = row !== undefined && row.snoozedUntil !== null && !snoozed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per chat
  useEffect(() => {
    if (back) void snooze([row], null);
  }, [back, openId]);

  if (!asking || row === undefined) return null;
  return (
    <SnoozeDialog
      title={fillText(consoleTexts.snoozeTitle, { name: visitorNameOrLabel(row) })}
      onClose={() => setAsking(false)}
      onChoose={(until) =>
        void snooze([row], until).then((done) => done && navigate({ pathname: '/', search }))
      }
    />
  );
}
