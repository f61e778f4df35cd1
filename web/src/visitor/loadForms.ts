import type { forms } from './forms.ts';

/** Asked for while somebody looks at whom they will write to: so that it is there when they press. */
export function loadForms(): Promise<typeof forms> {
  return import('./forms.ts').then((script) => script.forms);
}

/** The messages and the composer: asked for at the start, needed once there is a chat. */
export function loadRoom() {
  return import('./ChatRoom.tsx');
}
