/** The neighbour in this order; the first when none of it is open, undefined when there is no further one. */
export function stepFrom(order: readonly string[], open: string | undefined, by: 1 | -1): string | undefined {
  const at = open === undefined ? -1 : order.indexOf(open);
  return at === -1 ? order[0] : order[at + by];
}
