import { edited, isTried, sent, typed, type Unsent } from '../model/unsent.ts';
import { placeOf, type UnsentStore } from './unsentStore.ts';

/** The text of one composer. Another composer of the same chat, also in another window, has the same. */
export type Draft = {
  read(): string;
  subscribe(listener: () => void): () => void;
  write(text: string): void;
  /** Takes the text that is sent out of the composer, and leaves what is behind it. Undefined if it is blank. */
  take(text: string): Unsent | undefined;
  /** Returns a text to the composer, before what was written there since. */
  putBack(record: Unsent): void;
};

/** The text in the composer of a conversation. */
export function draftText(store: UnsentStore, conversationId: string): string {
  return draftIn(store, conversationId)?.text ?? '';
}

/** The record in a composer: the one that was written there, or the first draft. */
function draftIn({ all, shown, leaving }: UnsentStore, place: string): Unsent | undefined {
  const drafts = all().filter(
    (record) => record.state === 'draft' && placeOf(record) === place && !leaving.has(record.id),
  );
  return drafts.find(({ id }) => id === shown.get(place)) ?? drafts[0];
}

/** Opens a composer. */
export function openDraft(store: UnsentStore, conversationId: string, note?: true): Draft {
  const { all, keep, forget, shown, leaving, now, createId } = store;
  const what = { conversationId, ...(note && { note }) };
  const place = placeOf(what);
  // A new composer shows a note again that is still being stored.
  for (const record of all()) if (record.note && placeOf(record) === place) leaving.delete(record.id);

  function write(text: string): void {
    const draft = draftIn(store, place) ?? { ...what, id: createId(), text: '', at: now(), state: 'draft' };
    const next = typed(draft, text);
    shown.set(place, draft.id);
    if (next) keep(next);
    else forget(draft.id);
  }

  return {
    read: () => draftText(store, place),
    subscribe: store.subscribe,
    write,
    take(text) {
      const draft = draftIn(store, place);
      if (!draft) return undefined;
      const rest = draft.text.slice(text.length);
      const taken = text.trim() === '' ? undefined : sent(draft, text, { at: now(), createId });
      if (taken) {
        leaving.add(taken.id);
        keep(taken);
      }
      if (taken?.id !== draft.id) forget(draft.id);
      if (rest !== '') write(rest);
      return taken;
    },
    putBack(record) {
      const since = draftIn(store, place);
      leaving.delete(record.id);
      // A note that was opened again is in the composer already.
      if (since?.id === record.id) return;
      shown.set(place, record.id);
      keep(edited(record, since?.text));
      if (since) forget(since.id);
      void store.remove(record.id);
    },
  };
}

/** What was typed into a note while it was being stored becomes another one. */
export function noteStored(store: UnsentStore, id: string): void {
  const note = store.all().find((record) => record.id === id);
  if (note && !isTried(note)) store.renew(note);
  store.forget(id);
}
