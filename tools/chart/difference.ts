/** What the server stored differently from a manifest. Fields that only the server sets do not count. */
export function differences(wanted: unknown, stored: unknown, path = ''): string[] {
  if (typeof wanted !== 'object' || wanted === null)
    return wanted === stored
      ? []
      : [`${path} is ${JSON.stringify(stored)} instead of ${JSON.stringify(wanted)}`];
  if (typeof stored !== 'object' || stored === null) return [`${path} is missing`];
  if (Array.isArray(wanted) && Array.isArray(stored) && wanted.length !== stored.length)
    return [`${path} has ${stored.length} entries instead of ${wanted.length}`];
  return Object.entries(wanted).flatMap(([key, value]) =>
    differences(value, (stored as Record<string, unknown>)[key], `${path}/${key}`),
  );
}
