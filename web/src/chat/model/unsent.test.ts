import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anUnsent } from '../../../test/unsent.ts';
import { edited, refused, sent, typed } from './unsent.ts';

const draft = anUnsent('a', { text: 'Hello', state: 'draft' });

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
