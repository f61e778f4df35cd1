import type { Written } from '../product/database.ts';

type Line = [daysAgo: number, time: string, from: Written['from'], text: string];

/**
 * More than two days, several groups, and texts that are hard to lay out: long words, right-to-left text, links, emoji.
 */
const evening: Line[] = [
  [6, '18:02', 'visitor', 'Hello! I was at the reading in Lyon last week and could not ask my question.'],
  [6, '18:03', 'visitor', 'Is this really you?'],
  [6, '19:40', 'owner', 'Hello Jonas. It is us, yes: I read everything, and someone helps me type.'],
  [6, '19:41', 'owner', 'So what was the question?'],
  [1, '09:12', 'visitor', 'Why does the lighthouse keeper never write back?'],
  [
    1,
    '09:20',
    'owner',
    'Because he does, in the draft. Chapter nine is one long letter, and I took it out three days before it went to print. Some of it is here: https://example.org/letters/chapter-nine?draft=3 and the rest is in a drawer.',
  ],
  [1, '09:21', 'owner', '😮'],
  [1, '09:24', 'visitor', '🕯️📖'],
  [
    1,
    '09:25',
    'visitor',
    'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft is the word he would have used, no?',
  ],
  [1, '09:31', 'owner', 'مرحبا! كتب لي مترجمك أيضا: https://example.org/ar'],
  [1, '09:32', 'owner', 'One line.\nAnd another.\n\nAnd one after a pause.'],
  [0, '00:05', 'visitor', 'I could not sleep, so I read it again.'],
  [0, '00:06', 'owner', 'Then we are two.'],
];

const last: Line = [0, '00:08', 'visitor', 'Thank you. That is all I wanted to know.'];

export function conversation(): Written[] {
  return [...evening, last].map(written);
}

/** The same, but the last message is from the other side. */
export function conversationToAnswer(): Written[] {
  return evening.map(written);
}

function written([daysAgo, time, from, text]: Line): Written {
  const at = new Date();
  at.setDate(at.getDate() - daysAgo);
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  at.setHours(hours, minutes, 0, 0);
  return { from, text, at: new Date(Math.min(at.getTime(), Date.now())) };
}
