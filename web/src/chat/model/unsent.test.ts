import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anUnsent } from '../../../test/unsent.ts';
import { edited, isTried, refused, sent, typed, type Unsent } from './unsent.ts';

const draft = anUnsent('a', { text: 'Hello', state: 'draft' });
const send = (record: Unsent, text = record.text) => sent(record, text, { at: 9, createId: () => 'new' });

test('[MSG-19] a text keeps its id from the first key until it is stored', () => {
  const longer = typed(draft, 'Hello you');
  expect(longer && send(longer)).toEqual(anUnsent('a', { text: 'Hello you', at: 9 }));
  expect(typed(draft, '')).toBeNull();
});

test('[CONSOLE-16] a reply is returned if a colleague answered first, and refused otherwise', () => {
  expect(refused(send(draft), 'reply_outdated')).toMatchObject({ id: 'a', state: 'returned' });
  expect(refused(send(draft), 'conversation_closed')).toMatchObject({ id: 'a', state: 'refused' });
});

test('[MSG-19] a returned text that is sent unchanged keeps its id; another text is another message', () => {
  const back = edited(refused({ ...send(draft), after: 3 }, 'reply_outdated'));
  expect(back).toEqual({ ...draft, at: 9, tried: 'Hello' });
  expect(send(back, ' Hello\n')).toMatchObject({ id: 'a', state: 'queued' });
  expect(send(back, 'No')).toMatchObject({ id: 'new', state: 'queued' });
  expect(edited(send(draft), 'and more')).toMatchObject({ state: 'draft', text: 'Hello\nand more' });
});

test('[MSG-19] a note stays a draft until it is stored, and what was typed since is another one', () => {
  const tried = send({ ...draft, note: true });
  expect(tried).toMatchObject({ id: 'a', state: 'draft' });
  expect(isTried(tried)).toBe(true);
  const longer = { ...tried, text: 'Hello you' };
  expect([isTried(longer), send(longer).id]).toEqual([false, 'new']);
});

test('[MSG-19] no change of state loses a text, and an id is sent with one text only', () => {
  const word = fc.constantFrom('one', 'two', 'three');
  const step = fc.oneof(
    word.map((text) => ({ type: 'typed', text }) as const),
    fc.constantFrom({ type: 'sent' }, { type: 'returned' }, { type: 'again' } as const),
    word.map((since) => ({ type: 'edited', since }) as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let ids = 0;
      let record = draft;
      const texts = new Map<string, string>();
      const createId = () => {
        ids += 1;
        return `n${ids}`;
      };
      for (const each of steps) {
        const before = record;
        const { state, text } = record;
        if ('text' in each && state === 'draft') record = typed(record, each.text) ?? record;
        if (each.type === 'sent' && state === 'draft') record = sent(record, text, { at: 0, createId });
        if (each.type === 'returned' && state === 'queued') record = refused(record, 'reply_outdated');
        if (each.type === 'again' && state === 'returned') record = { ...record, state: 'queued' };
        if ('since' in each && state !== 'draft') record = edited(record, each.since);
        // Only its writer replaces a text.
        if (each.type !== 'typed') expect(record.text.startsWith(before.text)).toBe(true);
        if (record.state !== 'queued') continue;
        expect(texts.get(record.id) ?? record.text).toBe(record.text);
        texts.set(record.id, record.text);
      }
    }),
  );
});
