/** The fields that differ. Forms send only these, so that a colleague's changes stay. */
export function changedFields<T extends object>(before: T, after: Partial<T>): Partial<T> {
  const changed = Object.entries(after).filter(([key, value]) => value !== before[key as keyof T]);
  return Object.fromEntries(changed) as Partial<T>;
}
