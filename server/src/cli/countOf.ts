/** "1 warning", "2 warnings". */
export function countOf(count: number, thing: string): string {
  const plural = thing.endsWith('s') ? `${thing}es` : `${thing}s`;
  return `${count} ${count === 1 ? thing : plural}`;
}
