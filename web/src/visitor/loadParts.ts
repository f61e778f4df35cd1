import type { forms } from './forms.ts';

/** Preloaded while the visitor looks at the first page. */
export function loadForms(): Promise<typeof forms> {
  return import('./forms.ts').then((script) => script.forms);
}

/** The messages and the composer. Preloaded, because every chat needs them. */
export function loadRoom() {
  return import('./ChatRoom.tsx');
}
