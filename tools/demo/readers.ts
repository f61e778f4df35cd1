import type { Random } from '../../server/src/ports.ts';
import type { Line, Story } from './stories.ts';
import { exchanges, farewells, greetings, labels, names, openings } from './words.ts';

const DAYS = 30;
const MINUTES_OF_DAY = 24 * 60;
/** How many readers a day had, today first. Those of stories.ts come on top. */
const PER_DAY = [1, 4, 3, 5, 3, 4, 3, 3, 2, 4, 3, 3, 2, 3];
const PER_OLDER_DAY = 1;
const DESKS = ['mara-east', 'mara-tour', 'mara-east', 'mara-tour', 'mara-press', 'mara-night'];

/** A month of ordinary chats. All of them are answered: who waits now is in stories.ts. */
export function readersOfMonth(random: Random): Story[] {
  const stories: Story[] = [];
  for (let daysAgo = 0; daysAgo < DAYS; daysAgo += 1) {
    for (let n = 0; n < (PER_DAY[daysAgo] ?? PER_OLDER_DAY); n += 1) {
      const lines = linesOf(random);
      const minutes = lines.reduce((sum, [, , after]) => sum + after, 0) / 60;
      // Not before the month began, and none of today's that could still go on.
      const endedAgo = Math.min(
        daysAgo * MINUTES_OF_DAY + 90 + random.below(9 * 60),
        DAYS * MINUTES_OF_DAY - minutes - 60,
      );
      const open = daysAgo < 2 && n === 0;
      stories.push({
        name: names[stories.length % names.length] ?? '',
        desk: pick(random, DESKS),
        label: pick(random, labels),
        endedAgo,
        lines,
        ...(!open && { outcome: 'closed' }),
      });
    }
  }
  return stories;
}

function linesOf(random: Random): Line[] {
  const lines: Line[] = [
    ['visitor', pick(random, openings), 0],
    ['owner', pick(random, greetings), 30 + random.below(360)],
  ];
  // From anywhere on, in their order: some questions follow from the answer before.
  const first = random.below(exchanges.length);
  const count = 3 + random.below(6);
  for (let n = 0; n < count; n += 1) {
    const [asks, answers] = exchanges[(first + n) % exchanges.length] ?? ['', ''];
    lines.push(['visitor', asks, 20 + random.below(180)], ['owner', answers, 25 + random.below(240)]);
  }
  const [asks, answers] = pick(random, farewells);
  lines.push(['visitor', asks, 15 + random.below(90)], ['owner', answers, 20 + random.below(120)]);
  return lines;
}

function pick<T>(random: Random, from: readonly T[]): T {
  const chosen = from[random.below(from.length)];
  if (chosen === undefined) throw new Error('nothing to pick from');
  return chosen;
}
