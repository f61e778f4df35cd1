import { attempt } from '../chat/model/attempt.ts';

/** Key prefix of chats that this device must delete. Each key stays until nothing of its chat is left. */
export const LEFT = 'left_';

/** Key prefix of the conversation that this device is attached to. */
export const SEAT = 'seat_';

/** Some chat must be deleted. Usually the page that left it has done so, unless it was closed meanwhile. */
export function hasLeftChats(): boolean {
  return attempt(() => Object.keys(localStorage).some((key) => key.startsWith(LEFT))) ?? false;
}

/** What this device stores about a chat, per invite token. */
export type SavedChat = {
  storedCode(): string;
  storeCode(code: string): void;
  markFirstSession(): void;
  /** The conversation that this device is attached to, with a name. Null if none. */
  remembered(): string | null;
  remember(conversationId: string): void;
  /** This device is no longer attached. What the visitor wrote stays. */
  forget(): void;
  /** The same, and marks the chat for deletion from this device. */
  leave(): void;
};

/** Without storage, the cookie still gives access. Only shortcuts are lost. */
export function savedChat(storage: () => Storage, token: string): SavedChat {
  const read = (key: string) => attempt(() => storage().getItem(key + token)) ?? null;
  const write = (key: string, value: string) => attempt(() => storage().setItem(key + token, value));
  const remove = (key: string) => attempt(() => storage().removeItem(key + token));
  return {
    storedCode: () => read('continue_code_') ?? '',
    storeCode: (code) => write('continue_code_', code),
    markFirstSession: () => write('first_session_', 'true'),
    remembered: () => read(SEAT),
    remember(conversationId) {
      write(SEAT, conversationId);
      remove(LEFT);
    },
    forget: () => remove(SEAT),
    leave() {
      const conversationId = read(SEAT) ?? read(LEFT) ?? '';
      remove(SEAT);
      write(LEFT, conversationId);
    },
  };
}
