/** The list's state when one comes from a conversation that is no more: its row, if still there, is about to go. */
export const ERASED = 'erased';
