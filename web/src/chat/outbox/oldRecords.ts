import { attempt } from '../model/attempt.ts';
import type { Unsent } from '../model/unsent.ts';

type Old = { id: string; text: string; sending?: boolean };

/** Takes what version 0.2.0 left in localStorage: drafts, and beside them lists of texts under way or returned. */
export function takeOldRecords(
  storage: Storage,
  keys: readonly string[],
  whose: string,
  createId: () => string,
): Unsent[] {
  const owner = whose.replace(/^owner-/, '');
  const prefix = whose === 'visitor' ? 'draft_' : `draft_${owner}_`;
  const at = Date.now();
  const records: Unsent[] = [];
  const take = (key: string): string => {
    const value = storage.getItem(key) ?? '';
    storage.removeItem(key);
    return value;
  };
  const takeList = <T>(key: string): T[] => attempt(() => JSON.parse(take(key) || '[]') as T[]) ?? [];

  for (const { refused, ...old } of takeList<Unsent & { refused?: boolean }>(`unsent_${whose}`)) {
    records.push({ ...old, state: refused ? 'refused' : 'queued' });
  }
  const places = keys.flatMap((key) => {
    const [, place = '', list] = key.match(`^${prefix}([^_]+?)(:message|:unsureNote|\\.sending)?$`) ?? [];
    return place && list !== ':unsureNote' ? [place] : [];
  });
  for (const place of new Set(places)) {
    const [conversationId = '', isNote] = place.split(':');
    let text = take(prefix + place);
    const add = (id: string, part: string, state: Unsent['state']) =>
      records.push({ id, conversationId, text: part, at: at + records.length, state });
    const isInDraft = (part: string) => text === part || text.startsWith(`${part}\n`);
    // A visitor's text was being stored. A returned reply counts only if it is still in the draft.
    for (const { id, text: part } of takeList<Old>(`${prefix}${place}.sending`)) {
      if (isInDraft(part)) text = text.slice(part.length + 1);
      add(id, part, 'queued');
    }
    for (const { id, text: part, sending } of takeList<Old>(`${prefix}${place}:message`)) {
      if (!isInDraft(part)) continue;
      text = text.slice(part.length + 1);
      add(id, part, sending ? 'queued' : 'returned');
    }
    if (isNote) take(`${prefix}${conversationId}:unsureNote`);
    if (text.trim() === '') continue;
    records.push({ id: createId(), conversationId, text, at, state: 'draft', ...(isNote && { note: true }) });
  }
  return records;
}
