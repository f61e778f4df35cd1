import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useEffect, useRef, useState } from 'react';
import { systemClock } from '../../net/clock.ts';
import { Hidden } from '../../ui/Hidden.tsx';
import { useSignedIn } from '../context.ts';
import { newsTally } from './newsTally.ts';
import { onVisitorNews } from './visitorNews.ts';

/** Tells a screen reader what came in other chats; the open one announces its own messages. */
export function QueueNews({ openId }: { openId: string | undefined }) {
  const { console } = useSignedIn();
  const open = useRef(openId);
  open.current = openId;
  const [text, setText] = useState('');

  useEffect(() => {
    const tally = newsTally(systemClock, (news) =>
      setText(
        news === null
          ? ''
          : fillText(news.chats === 1 ? consoleTexts.newsOne : consoleTexts.newsMany, {
              n: String(news.messages),
              chats: String(news.chats),
            }),
      ),
    );
    const stop = onVisitorNews(console, (rows) =>
      tally.add(rows.filter(({ conversationId }) => conversationId !== open.current)),
    );
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
