import type { Unsent } from '../src/chat/model/unsent.ts';
import { memoryOutbox, type Outbox } from '../src/chat/outbox/outbox.ts';
import { type UnsentStore, unsentStore } from '../src/chat/outbox/unsentStore.ts';
import { fakeClock } from './fakeClock.ts';
import { memoryStorage } from './memoryStorage.ts';

/** A queued message. Its text is its id unless it is given. */
export function anUnsent(id: string, parts: Partial<Unsent> = {}): Unsent {
  return { id, conversationId: 'here', text: id, at: 0, state: 'queued', ...parts };
}

type Change = { key: string; oldValue: string | null; newValue: string | null };

type Parts = { storage?: Storage; database?: Outbox; whose?: string; clock?: ReturnType<typeof fakeClock> };

const created = new WeakMap<Storage, number>();

/** A page's store in a browser with this storage and database. The browser's ids are n1, n2 and so on. */
export function aStore({
  storage = memoryStorage(),
  database = memoryOutbox(),
  whose = 'owner-ana',
  clock = fakeClock(),
}: Parts = {}): UnsentStore & { changedElsewhere(change: Change): void } {
  let changedElsewhere: (change: Change) => void = () => {};
  const store = unsentStore({
    database,
    storage: () => storage,
    elsewhere(changed) {
      changedElsewhere = changed;
      return () => {};
    },
    whose,
    clock,
    createId() {
      const number = (created.get(storage) ?? 0) + 1;
      created.set(storage, number);
      return `n${number}`;
    },
  });
  return { ...store, changedElsewhere };
}
