import type { Message } from '@settee/protocol/message';
import { texts } from '@settee/protocol/texts';
import { useEffect, useRef, useState } from 'react';
import { Hidden } from '../ui/Hidden.tsx';

const MERGE_WITHIN_MS = 1_000;

/** Reads incoming messages out, once, several of one second together; never the history. */
export function Announcer({ incoming, name }: { incoming: readonly Message[]; name: string }) {
  const newest = incoming.at(-1)?.seq ?? 0;
  const said = useRef(newest);
  const [words, setWords] = useState('');

  useEffect(() => {
    if (newest <= said.current) return;
    const timer = setTimeout(() => {
      const news = incoming.filter(({ seq }) => seq > said.current);
      said.current = newest;
      setWords(news.map(({ text }) => `${name}: ${text || texts.image}`).join('. '));
    }, MERGE_WITHIN_MS);
    return () => clearTimeout(timer);
  }, [incoming, name, newest]);

  return (
    <div aria-live="polite">
      <Hidden>{words}</Hidden>
    </div>
  );
}
