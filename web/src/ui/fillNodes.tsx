import { Fragment, type ReactNode } from 'react';

/** Fills in a text with elements. A translation can place them anywhere. */
export function fillNodes(text: string, values: Readonly<Record<string, ReactNode>>): ReactNode[] {
  return text
    .split(/\{(\w+)\}/)
    .map((part, place) => (place % 2 === 0 ? part : <Fragment key={part}>{values[part]}</Fragment>));
}
