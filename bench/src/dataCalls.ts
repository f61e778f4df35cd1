import { SEARCH_HITS_MAX } from '@settee/protocol/model/search';
import { COMMON, UNCOMMON } from './dataWords.ts';

/** A measured call, by a handler of the largest desk or by an administrator. */
export type DataCall = {
  what: string;
  as: 'handler' | 'administrator';
  path: (n: number) => string;
  /** Whether the answer, as parsed JSON, is the expected one. */
  // biome-ignore lint/suspicious/noExplicitAny: the answers of different calls.
  check: (body: any) => boolean;
};

type Found = { messages: unknown[]; conversations?: unknown[]; complete: boolean };
const search = (
  what: string,
  as: DataCall['as'],
  path: string,
  words: (n: number) => string,
  hits: Partial<{ messages: number; conversations: number }>,
): DataCall => ({
  what: `search, ${what}`,
  as,
  path: (n) => `${path}?q=${encodeURIComponent(words(n))}`,
  check: ({ complete, messages, conversations }: Found) =>
    complete &&
    (hits.messages ?? messages.length) === messages.length &&
    (hits.conversations ?? conversations?.length) === conversations?.length,
});

const NOTHING = (n: number) => `nowhere${n}`;
const FULL = SEARCH_HITS_MAX;

/** Searches of names and messages. */
export const SEARCH_CALLS: readonly DataCall[] = [
  search('large desk: no hit', 'handler', '/search', NOTHING, { messages: 0, conversations: 0 }),
  search('large desk: one name', 'handler', '/search', (n) => `visitor${1 + n}`, { messages: 0 }),
  search('large desk: word of every label', 'handler', '/search', () => 'campaign', { conversations: FULL }),
  search('large desk: common word', 'handler', '/search', () => COMMON, { messages: FULL }),
  search('large desk: uncommon word', 'handler', '/search', () => UNCOMMON, { messages: FULL }),
  search('all desks: no hit', 'administrator', '/search', NOTHING, { messages: 0, conversations: 0 }),
  search('all desks: word of every label', 'administrator', '/search', () => 'campaign', {
    conversations: FULL,
  }),
  search('all desks: common word', 'administrator', '/search', () => COMMON, { messages: FULL }),
  search('all desks: uncommon word', 'administrator', '/search', () => UNCOMMON, { messages: FULL }),
  search('messages: no hit', 'administrator', '/manage/messages', NOTHING, { messages: 0 }),
  search('messages: common word', 'administrator', '/manage/messages', () => COMMON, { messages: FULL }),
];
