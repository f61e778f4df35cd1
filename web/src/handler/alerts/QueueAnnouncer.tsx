import type { QueueRow } from '@settee/protocol/model/conversation';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useEffect, useEffectEvent, useState } from 'react';
import { systemClock } from '../../net/clock.ts';
import { Hidden } from '../../ui/Hidden.tsx';
import { useSignedIn } from '../context.ts';
import { messageTally } from './messageTally.ts';
import { onNewVisitorMessages } from './newVisitorMessages.ts';

/** Announces messages in other chats to screen readers. The open chat announces its own. */
export function QueueAnnouncer({ openId }: { openId: string | undefined }) {
  const { console } = useSignedIn();
  const [text, setText] = useState('');
  const isElsewhere = useEffectEvent(({ conversationId }: QueueRow) => conversationId !== openId);

  useEffect(() => {
    const tally = messageTally(systemClock, (counts) =>
      setText(
        counts === null ? '' : fillText(consoleTexts.news, { count: counts.messages, chats: counts.chats }),
      ),
    );
    const stop = onNewVisitorMessages(console, (rows) => tally.add(rows.filter((row) => isElsewhere(row))));
    return () => {
      stop();
      tally.stop();
    };
  }, [console]);

  return (
    <Hidden>
      <span role="status">{text}</span>
    </Hidden>
  );
}
