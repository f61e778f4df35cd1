export type Misspelled = { setting: string; meant: string };

/** Of the given names, those that are no setting, but look like one. Most others belong to other programs. */
export function misspelled(given: readonly string[], settings: readonly string[]): Misspelled[] {
  return given.flatMap((setting) => {
    if (settings.includes(setting)) return [];
    const upper = setting.toUpperCase();
    // Only secrets can come from a file.
    const named = [upper, upper.replace(/_FILE$/, '')].find((name) => settings.includes(name));
    const meant = named ?? settings.find((name) => isNear(name, upper));
    return meant === undefined ? [] : [{ setting, meant }];
  });
}

/** In a longer name, two mistakes are still recognised. */
function isNear(name: string, given: string): boolean {
  const allowed = name.length < 8 ? 1 : 2;
  return Math.abs(name.length - given.length) <= allowed && mistakesBetween(name, given) <= allowed;
}

/** Letters that are missing, added, replaced or swapped with the next one. */
function mistakesBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const [above = [], before = []] = [rows[i - 1], rows[i - 2]];
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      const swapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        (above[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (above[j - 1] ?? 0) + same,
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}
