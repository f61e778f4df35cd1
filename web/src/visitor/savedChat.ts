import { attempt } from '../chat/model/attempt.ts';

/** What this device remembers of its place in a chat, per invite token. */
export type SavedChat = {
  storedCode(): string;
  storeCode(code: string): void;
  markFirstSession(): void;
  /** The conversation in which this device has a place and a name; null when it has none. */
  remembered(): string | null;
  remember(conversationId: string): void;
  forget(): void;
};

/** Without storage the device's cookie still holds the place; only the shortcuts are lost. */
export function savedChat(storage: () => Storage, token: string): SavedChat {
  const read = (key: string) => attempt(() => storage().getItem(key + token)) ?? null;
  const write = (key: string, value: string) => attempt(() => storage().setItem(key + token, value));
  return {
    storedCode: () => read('continue_code_') ?? '',
    storeCode: (code) => write('continue_code_', code),
    markFirstSession: () => write('first_session_', 'true'),
    remembered: () => read('seat_'),
    remember: (conversationId) => write('seat_', conversationId),
    forget: () => attempt(() => storage().removeItem(`seat_${token}`)),
  };
}
