/** What this device remembers of its place in a chat, per invite token. */
export type Seat = {
  storedCode(): string;
  storeCode(code: string): void;
  markFirstSession(): void;
  /** The conversation in which this device has a place and a name; null when it has none. */
  remembered(): string | null;
  remember(conversationId: string): void;
  forget(): void;
};

export function storedSeat(storage: Storage, token: string): Seat {
  return {
    storedCode: () => storage.getItem(`continue_code_${token}`) ?? '',
    storeCode: (code) => storage.setItem(`continue_code_${token}`, code),
    markFirstSession: () => storage.setItem(`first_session_${token}`, 'true'),
    remembered: () => storage.getItem(`seat_${token}`),
    remember: (conversationId) => storage.setItem(`seat_${token}`, conversationId),
    forget: () => storage.removeItem(`seat_${token}`),
  };
}
