import type { Random } from '../../server/src/ports.ts';
import { content, type Line, pick, type Story } from './content.ts';

const DAYS = 30;
const MINUTES_OF_DAY = 24 * 60;
/** Conversations per day, today first, in addition to the stories. */
const PER_DAY = [1, 4, 3, 5, 3, 4, 3, 3, 2, 4, 3, 3, 2, 3];
const PER_OLDER_DAY = 1;
const DESKS = ['mara-east', 'mara-tour', 'mara-east', 'mara-tour', 'mara-press', 'mara-night'];

/** A month of ordinary conversations. All of them are answered. */
export function readersOfMonth(random: Random): Story[] {
  const stories: Story[] = [];
  for (let daysAgo = 0; daysAgo < DAYS; daysAgo += 1) {
    for (let n = 0; n < (PER_DAY[daysAgo] ?? PER_OLDER_DAY); n += 1) {
      const lines = linesOf(random);
      const minutes = lines.reduce((sum, [, , after]) => sum + after, 0) / 60;
      // Not before the month began, and over by now.
      const endedAgo = Math.min(
        daysAgo * MINUTES_OF_DAY + 90 + random.below(9 * 60),
        DAYS * MINUTES_OF_DAY - minutes - 60,
      );
      const open = daysAgo < 2 && n === 0;
      const name = content.names[stories.length % content.names.length] ?? '';
      const [desk, label] = [pick(random, DESKS), pick(random, content.labels)];
      stories.push({ name, desk, label, endedAgo, lines, ...(!open && { outcome: 'closed' }) });
    }
  }
  return stories;
}

function linesOf(random: Random): Line[] {
  const { exchanges, farewells, greetings, openings } = content;
  const lines: Line[] = [
    ['visitor', pick(random, openings), 0],
    ['owner', pick(random, greetings), 30 + random.below(360)],
  ];
  // In order, because some questions follow from the answer before.
  const first = random.below(exchanges.length);
  const count = 3 + random.below(6);
  for (let n = 0; n < count; n += 1) {
    const [question, answer] = exchanges[(first + n) % exchanges.length] ?? ['', ''];
    lines.push(['visitor', question, 20 + random.below(180)], ['owner', answer, 25 + random.below(240)]);
  }
  const [question, answer] = pick(random, farewells);
  lines.push(['visitor', question, 15 + random.below(90)], ['owner', answer, 20 + random.below(120)]);
  return lines;
}
