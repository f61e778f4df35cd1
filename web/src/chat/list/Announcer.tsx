import type { Message } from '@settee/protocol/model/message';
import { fillText } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useRef, useState } from 'react';
import { Hidden } from '../../ui/Hidden.tsx';

const MERGE_WITHIN_MS = 1_000;

/** The state of this side's newest message. */
export type OwnState = { key: string; state: keyof typeof stateTexts };

const stateTexts = {
  sending: texts.announceSending,
  sent: texts.announceSent,
  seen: texts.announceSeen,
  failed: texts.announceFailed,
} as const;

type AnnouncerProps = { incoming: readonly Message[]; name: string; own: OwnState | undefined };

function afterEachOther(first: string, second: string): string {
  return first === '' ? second : fillText(texts.announceBoth, { first, second });
}

/**
 * Announces incoming messages and the state of this side's newest message to screen readers. Merges events within a
 * second. Never announces history.
 */
export function Announcer({ incoming, name, own }: AnnouncerProps) {
  const newest = incoming.at(-1)?.seq ?? 0;
  const ownNow = own && `${own.key} ${own.state}`;
  const announced = useRef({ newest, own: ownNow });
  /** A new key creates a new element, because screen readers skip unchanged text. */
  const [news, setNews] = useState({ text: '', number: 0 });

  // biome-ignore lint/correctness/useExhaustiveDependencies: ownNow stands for own
  useEffect(() => {
    // Without an own message the list shows an older part.
    const ownNews = own && ownNow !== announced.current.own;
    if (newest <= announced.current.newest && !ownNews) return;
    const timer = setTimeout(() => {
      const parts = incoming
        .filter(({ seq }) => seq > announced.current.newest)
        .map(({ text }) => fillText(texts.announceMessage, { name, text: text || texts.image }));
      if (ownNews) parts.unshift(stateTexts[own.state]);
      announced.current = { newest, own: ownNow ?? announced.current.own };
      setNews(({ number }) => ({ text: parts.reduce(afterEachOther, ''), number: number + 1 }));
    }, MERGE_WITHIN_MS);
    return () => clearTimeout(timer);
  }, [incoming, name, newest, ownNow]);

  return (
    <div aria-live="polite">
      <Hidden key={news.number}>{news.text}</Hidden>
    </div>
  );
}
