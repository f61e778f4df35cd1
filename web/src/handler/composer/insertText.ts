import { createEmitter } from '../../browser/createStore.ts';

const insertions = createEmitter<[text: string]>();

/** Puts words where the composer on show has its caret. Without a composer they go nowhere. */
export const insertText = insertions.emit;

export const onInsertText = insertions.subscribe;
