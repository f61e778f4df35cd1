/** The messages and the composer: asked for at the start, needed once there is a chat. */
export function loadRoom() {
  return import('./ChatRoom.tsx');
}
