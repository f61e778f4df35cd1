import type { forms } from './forms.ts';

/** Asked for while somebody looks at whom they will write to: so that it is there when they press. */
export function loadForms(): Promise<typeof forms> {
  return import('./forms.ts').then((script) => script.forms);
}
