import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { DrawingName } from './drawings.ts';

/** Sender, text or image, and seconds after the line before. */
export type Line = readonly [
  sender: 'visitor' | 'owner',
  what: string | { picture: DrawingName },
  after: number,
];

/** A conversation of the demo. */
export type Story = {
  name: string;
  desk: string;
  label: string;
  /** Minutes since the last line. */
  endedAgo: number;
  lines: readonly Line[];
  notes?: readonly (readonly [afterLine: number, text: string])[];
  /** Lines at the end that the desk has not seen. */
  unread?: number;
  outcome?: 'closed' | { blocked: string };
  handedTo?: { desk: string; note: string };
};

type Exchange = readonly [question: string, answer: string];
type StaffMember = { email: string; name: string };

type Content = {
  profile: { displayName: string; verified: boolean; disclosure: string };
  admin: StaffMember;
  handlers: (StaffMember & { alias: string })[];
  savedReplies: { shortcut: string; text: string; shared: boolean }[];
  stories: Story[];
  exchanges: Exchange[];
  farewells: Exchange[];
  openings: string[];
  greetings: string[];
  names: string[];
  labels: string[];
  simulatedVisitors: string[];
  scriptReplies: string[];
};

export const content = parse(readFileSync(join(import.meta.dirname, 'content.yaml'), 'utf8')) as Content;

/** Public: the demo refuses every address but that of this machine. */
export const DEMO_PASSWORD = 'settee-demo-only';

/** The simulated handler. */
export const script = content.handlers.at(-1) as Content['handlers'][number];

export function pick<T>(random: { below(limit: number): number }, from: readonly T[]): T {
  return from[random.below(from.length)] as T;
}
