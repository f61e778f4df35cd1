import type { ConversationStatus, QueueRow } from '@settee/protocol/model/conversation';
import type { SavedReply } from '@settee/protocol/model/savedReply';
import type { FoundMessage } from '@settee/protocol/model/search';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { fits, fitsWords } from '../../staff/search/fits.ts';
import { wordsOf } from '../../staff/search/fold.ts';
import { holdsAll } from '../../staff/search/snippet.tsx';
import type { Command } from '../keys/commands.ts';
import { matchReplies } from '../replies/matchReplies.ts';
import type { SearchResult } from './useSearch.ts';

/** Entries per group until all are requested. */
export const GROUP_MAX = 5;
/** Commands that make no sense in the palette. */
const NOT_HERE = new Set(['palette', 'leave', 'nextRow', 'previousRow', 'shortcutsInQueue']);
/** Most frequent first. Unknown commands come last. */
const ORDER = [
  'undo',
  'reply',
  'note',
  'insertReply',
  'sendAndClose',
  'close',
  'reopen',
  'markUnread',
  'snooze',
  'unsnooze',
  'transfer',
  'block',
  'details',
  'next',
  'previous',
  'back',
  'select',
  'savedReplies',
  'switcher',
  'shortcuts',
  'signOut',
];

type ChatItem = {
  kind: 'chat';
  conversationId: string;
  visitorId: string;
  name: string;
  /** The invite's label, if the search found it. */
  label: string;
  status: ConversationStatus;
  /** The desk, for a person with several. */
  alias: string | undefined;
};

export type GroupKind = 'action' | 'chat' | 'desk' | 'message' | 'label' | 'reply';

export type PaletteItem = { key: string } & (
  | { kind: 'action'; command: Command }
  | ChatItem
  /** Represents the rest of its group. */
  | { kind: 'more'; group: GroupKind; count: number }
  | { kind: 'message'; found: FoundMessage; name: string }
  | { kind: 'reply'; reply: SavedReply }
);

/** `desks`: who types the name of a visitor does not mean the desk of that name, so these come after the chats. */
export function actionItems(
  commands: readonly Command[],
  typed: string,
): { actions: PaletteItem[]; desks: PaletteItem[] } {
  const seen = new Set(NOT_HERE);
  const offered: Command[] = [];
  for (const command of commands) {
    // With the same id, the newer command wins.
    if (seen.has(command.id)) continue;
    seen.add(command.id);
    if (fits(command.name, typed)) offered.push(command);
  }
  const [desks, actions] = partition(
    offered.toSorted((a, b) => placeOf(a) - placeOf(b)),
    ({ id, name }) => id.startsWith('desk ') && !begins(name, typed),
  );
  return { actions: actions.map(actionItem), desks: desks.map(actionItem) };
}

const actionItem = (command: Command): PaletteItem => ({
  kind: 'action',
  key: `action ${command.id}`,
  command,
});

/** Whether the first typed word is the beginning of the name. */
function begins(name: string, typed: string): boolean {
  const [first] = wordsOf(typed);
  return wordsOf(name)[0]?.folded.startsWith(first?.folded ?? '') ?? false;
}

function placeOf({ id }: Command): number {
  const place = ORDER.indexOf(id);
  return place === -1 ? ORDER.length : place;
}

export type NamedRow = { row: QueueRow; name: string; words: readonly string[] };

export function namedRows(queue: readonly QueueRow[]): NamedRow[] {
  return queue.map((row) => {
    const name = visitorNameOrLabel(row);
    return { row, name, words: wordsOf(name).map(({ folded }) => folded) };
  });
}

/** Keeps the order from when the text was typed, so that Enter opens the shown chat. New rows come last. */
export function inTypedOrder(order: readonly string[], rows: readonly NamedRow[]): NamedRow[] {
  const byId = new Map(rows.map((named) => [named.row.conversationId, named]));
  const known = order.flatMap((id) => byId.get(id) ?? []);
  const before = new Set(order);
  return [...known, ...rows.filter(({ row }) => !before.has(row.conversationId))];
}

/**
 * Chats whose visitor's name matches: from the queue, then from the server. Chats that match only by label are
 * separate, because a label may occur hundreds of times.
 */
export function chatItems(
  rows: readonly NamedRow[],
  searched: SearchResult | null,
  typed: string,
): { names: PaletteItem[]; labels: PaletteItem[] } {
  const near: ChatItem[] = rows
    .filter(({ words }) => fitsWords(words, typed))
    .map(({ row, name }) => ({
      kind: 'chat',
      ...idsOf(row),
      name,
      label: '',
      status: 'open',
      alias: row.alias,
    }));
  const known = new Set(near.map(({ conversationId }) => conversationId));
  const far: ChatItem[] = (searched?.conversations ?? [])
    .filter((found) => !known.has(found.conversationId))
    .map((found) => ({
      kind: 'chat' as const,
      ...idsOf(found),
      name: visitorNameOrLabel(found),
      label: found.inviteLabel,
      status: found.status,
      alias: found.handlerAlias,
    }))
    .filter(({ name, label }) => answers(searched, typed) || fits(`${name} ${label}`, typed));
  const withKey = (chat: ChatItem) => ({ ...chat, key: `chat ${chat.conversationId}` });
  const [byName, byLabel] = partition(far, ({ name }) => fits(name, typed));
  return { names: [...near, ...byName].map(withKey), labels: byLabel.map(withKey) };
}

function partition<T>(all: readonly T[], fitsFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(fitsFirst), all.filter((one) => !fitsFirst(one))];
}

/** The first entries and one for the rest. A single remaining entry is shown instead. */
export function shortGroup(group: GroupKind, items: PaletteItem[], whole: boolean): PaletteItem[] {
  if (whole || items.length <= GROUP_MAX + 1) return items;
  return [...items.slice(0, GROUP_MAX), { kind: 'more', key: `more ${group}`, group, count: items.length }];
}

export function messageItems(searched: SearchResult | null, typed: string): PaletteItem[] {
  return (searched?.messages ?? [])
    .filter((found) => answers(searched, typed) || holdsAll(found.text, typed))
    .map((found) => ({
      kind: 'message',
      key: `message ${found.conversationId} ${found.seq}`,
      found,
      name: visitorNameOrLabel(found),
    }));
}

/** Only for typed text; the full list has its own dialog. A leading slash is ignored. */
export function replyItems(replies: readonly SavedReply[], typed: string): PaletteItem[] {
  const query = typed.trim().replace(/^\//, '');
  if (query === '') return [];
  return matchReplies(replies, query).map((reply) => ({ kind: 'reply', key: `reply ${reply.id}`, reply }));
}

/** The previous answer stays while it still matches, to avoid flicker. */
function answers(searched: SearchResult | null, typed: string): boolean {
  return searched?.query === typed.trim();
}

function idsOf({ conversationId, visitorId }: { conversationId: string; visitorId: string }) {
  return { conversationId, visitorId };
}
