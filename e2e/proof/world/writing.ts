import type { Random } from '../random.ts';

const WORDS =
  'the late train stands at the platform with its doors open – “wait”, said Ægir 👋🏽 and waved'.split(' ');

/** The text of a message: usually a line or two, sometimes a page. */
export function composeText(random: Random, device: string, count: number): string {
  const words = random.chance(0.01) ? random.whole(200, 600) : random.whole(1, 12);
  const body = Array.from({ length: words }, () => random.pick(WORDS)).join(random.chance(0.1) ? '\n' : ' ');
  return `${device} #${count} ${body}`;
}

/** When a message is sent again: at once, or this many milliseconds after its ack. */
export function planRetries(random: Random, share: number): { atOnce: number; later: number[] } {
  if (!random.chance(share)) return { atOnce: 0, later: [] };
  const times = random.whole(1, 5);
  const atOnce = random.chance(0.15) ? 1 : 0;
  return { atOnce, later: Array.from({ length: times - atOnce }, () => random.between(0, 1_200)) };
}
