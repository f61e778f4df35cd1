import type { Drafts } from '../../chat/drafts.ts';
import { wordsAfter, wordsBefore } from '../wordsBefore.ts';

type NoteDraft = {
  read(): string;
  /** What is in the field now. */
  write(text: string): void;
  /** Fails as `add` fails. */
  send(text: string, add: (text: string) => Promise<void>): Promise<void>;
};

/** The stored words of a note: those on their way stay there until they have arrived, before what is typed since. */
export function noteDraft(drafts: Drafts, conversationId: string): NoteDraft {
  // Beside the reply's: the queue, which shows replies, does not find it.
  const key = `${conversationId}:note`;
  let underWay = '';
  return {
    read: () => drafts.read(key),
    write: (text) => drafts.write(key, wordsBefore(underWay, text)),
    async send(text, add) {
      underWay = text;
      drafts.write(key, wordsBefore(text, drafts.read(key)));
      try {
        await add(text);
      } finally {
        underWay = '';
      }
      drafts.write(key, wordsAfter(text, drafts.read(key)));
    },
  };
}
