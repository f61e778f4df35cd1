import { createEmitter } from '../../browser/createStore.ts';

const saved = createEmitter<[key: string, text: string]>();

/** Words are safe whose writer has left the composer. A new one, opened meanwhile, has them in its field. */
export const notifyDraftSaved = saved.emit;

export const onDraftSaved = saved.subscribe;
