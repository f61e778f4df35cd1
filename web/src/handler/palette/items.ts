import type { ConversationStatus, QueueRow } from '@settee/protocol/model/conversation';
import type { SavedReply } from '@settee/protocol/model/savedReply';
import type { FoundMessage } from '@settee/protocol/model/search';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { wordsOf } from '../../staff/search/fold.ts';
import { holdsAll } from '../../staff/search/snippet.ts';
import type { Command } from '../keys/commands.ts';
import { matchReplies } from '../replies/matchReplies.ts';
import type { SearchResult } from './useSearch.ts';

/** Of each group so many are shown until all are asked for. */
export const GROUP_MAX = 5;
/** What the palette need not offer: itself, what its own Esc does, and keys that only move the focus. */
const NOT_HERE = new Set(['palette', 'leave', 'nextRow', 'previousRow', 'shortcutsInQueue']);
/** What is done most comes first, and what is not known here last. */
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
  'shortcuts',
  'signOut',
];

type ChatItem = {
  kind: 'chat';
  conversationId: string;
  visitorId: string;
  name: string;
  /** The invite's label, where a search found it. */
  label: string;
  status: ConversationStatus;
};

export type GroupKind = 'action' | 'chat' | 'message' | 'label' | 'reply';

export type PaletteItem = { key: string } & (
  | { kind: 'action'; command: Command }
  | ChatItem
  /** Stands for the rest of its group. */
  | { kind: 'more'; group: GroupKind; count: number }
  | { kind: 'message'; found: FoundMessage; name: string }
  | { kind: 'reply'; reply: SavedReply }
);

export function actionItems(commands: readonly Command[], typed: string): PaletteItem[] {
  const seen = new Set(NOT_HERE);
  const offered: Command[] = [];
  for (const command of commands) {
    // Of two with one id the newer counts, and comes first.
    if (seen.has(command.id)) continue;
    seen.add(command.id);
    if (fits(command.name, typed)) offered.push(command);
  }
  return offered
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((command) => ({ kind: 'action', key: `action ${command.id}`, command }));
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

/**
 * The rows in the order they had when this was typed, what came since behind them: the first one is what Enter opens,
 * and must not become another chat under the finger.
 */
export function inTypedOrder(order: readonly string[], rows: readonly NamedRow[]): NamedRow[] {
  const byId = new Map(rows.map((named) => [named.row.conversationId, named]));
  const known = order.flatMap((id) => byId.get(id) ?? []);
  const before = new Set(order);
  return [...known, ...rows.filter(({ row }) => !before.has(row.conversationId))];
}

/**
 * Chats whose visitor's name fits: from the queue at once, and behind them what the server found besides. Apart from
 * them those that only the invite's label fits: a label may be on hundreds.
 */
export function chatItems(
  rows: readonly NamedRow[],
  searched: SearchResult | null,
  typed: string,
): { names: PaletteItem[]; labels: PaletteItem[] } {
  const near: ChatItem[] = rows
    .filter(({ words }) => fitsWords(words, typed))
    .map(({ row, name }) => ({ kind: 'chat', ...idsOf(row), name, label: '', status: 'open' }));
  const known = new Set(near.map(({ conversationId }) => conversationId));
  const far: ChatItem[] = (searched?.conversations ?? [])
    .filter((found) => !known.has(found.conversationId))
    .map((found) => ({
      kind: 'chat' as const,
      ...idsOf(found),
      name: visitorNameOrLabel(found),
      label: found.inviteLabel,
      status: found.status,
    }))
    .filter(({ name, label }) => answers(searched, typed) || fits(`${name} ${label}`, typed));
  const withKey = (chat: ChatItem) => ({ ...chat, key: `chat ${chat.conversationId}` });
  const [byName, byLabel] = partition(far, ({ name }) => fits(name, typed));
  return { names: [...near, ...byName].map(withKey), labels: byLabel.map(withKey) };
}

function partition<T>(all: readonly T[], fitsFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(fitsFirst), all.filter((one) => !fitsFirst(one))];
}

/** The first few of a group and an entry for the rest; one more than the few is shown in that entry's place. */
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

/** Only for what was typed: the whole list has a dialog of its own. The slash that calls one elsewhere may lead. */
export function replyItems(replies: readonly SavedReply[], typed: string): PaletteItem[] {
  const query = typed.trim().replace(/^\//, '');
  if (query === '') return [];
  return matchReplies(replies, query).map((reply) => ({ kind: 'reply', key: `reply ${reply.id}`, reply }));
}

/** The answer before stays until the next one comes, as far as it still fits: the list does not flicker. */
function answers(searched: SearchResult | null, typed: string): boolean {
  return searched?.query === typed.trim();
}

function idsOf({ conversationId, visitorId }: { conversationId: string; visitorId: string }) {
  return { conversationId, visitorId };
}

/**
 * Whether a name fits what was typed: each typed word begins one of its words, or all are its initials ('cc' is
 * 'Close chat'). No letters picked from anywhere: whoever types a visitor's name and presses Enter must not have
 * closed a chat because its letters happen to be in 'Close chat'.
 */
export function fits(name: string, typed: string): boolean {
  return fitsWords(
    wordsOf(name).map(({ folded }) => folded),
    typed,
  );
}

/** The same, for a name whose words are known: a queue of thousands is folded once. */
function fitsWords(words: readonly string[], typed: string): boolean {
  const wanted = wordsOf(typed).map(({ folded }) => folded);
  if (wanted.length === 0) return typed.trim() === '';
  if (wanted.every((begin) => words.some((word) => word.startsWith(begin)))) return true;
  const [only = ''] = wanted;
  const initials = words.map((word) => word.slice(0, 1)).join('');
  return wanted.length === 1 && only.length > 1 && initials.startsWith(only);
}
