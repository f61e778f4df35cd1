import { aliasOf } from '@settee/protocol/model/deskName';
import type { DeskNames } from '../useDesks.tsx';

/** The desk that a typed name means: one that exists, or a new one. `own` may be renamed. */
export function deskOf(
  text: string,
  names: DeskNames,
  own: string | null,
): { alias: string | null; deskName?: string } {
  const name = text.trim();
  if (name === '') return { alias: null };
  const named = Object.keys(names).find((each) => names[each]?.toLowerCase() === name.toLowerCase());
  const alias = named ?? aliasOf(name);
  const before = names[alias];
  const isNew = name !== alias && name !== before && (before === undefined || alias === own);
  return isNew ? { alias, deskName: name } : { alias };
}
