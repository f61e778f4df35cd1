/** The messages and the composer. Preloaded, because every chat needs them. */
export function loadRoom() {
  return import('./ChatRoom.tsx');
}
