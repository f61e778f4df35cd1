import type { forms } from './forms.ts';

/** Preloaded while the visitor looks at the first page. */
export function loadForms(): Promise<typeof forms> {
  return import('./forms.ts').then((script) => script.forms);
}
