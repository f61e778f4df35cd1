import { attempt } from '../chat/model/attempt.ts';

/** What this device stores about a chat, per invite token. */
export type SavedChat = {
  storedCode(): string;
  storeCode(code: string): void;
  markFirstSession(): void;
  /** The conversation that this device is attached to, with a name. Null if none. */
  remembered(): string | null;
  remember(conversationId: string): void;
  forget(): void;
};

/** Without storage, the cookie still gives access. Only shortcuts are lost. */
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
