import { consoleStates } from './consoleStates.ts';
import type { State } from './stage.ts';
import { visitorStates } from './visitorStates.ts';

const all = [...visitorStates, ...consoleStates];

/** Those that were asked for; all, when none was. */
export function chosenStates(): State[] {
  const names = (process.env.GALLERY_ONLY ?? '').split(',').filter((name) => name !== '');
  const unknown = names.filter((name) => !all.some((state) => state.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no state ${unknown.join(', ')}. There are: ${all.map(({ name }) => name).join(', ')}`,
    );
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}
