/** What this device remembers of its place in a chat, per invite token. */
export type Seat = {
  storedCode(): string;
  storeCode(code: string): void;
  markFirstSession(): void;
};

export function storedSeat(storage: Storage, token: string): Seat {
  return {
    storedCode: () => storage.getItem(`continue_code_${token}`) ?? '',
    storeCode: (code) => storage.setItem(`continue_code_${token}`, code),
    markFirstSession: () => storage.setItem(`first_session_${token}`, 'true'),
  };
}
