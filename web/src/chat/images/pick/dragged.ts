/**
 * How many elements a dragged file is in after an event; over the page, it is in one at least. A step from one into the
 * next enters that before it leaves the first. (Where a leave leads is no help, as Safari does not tell.)
 */
export function depthAfter(depth: number, type: string): number {
  if (type === 'dragover') return depth || 1;
  return type === 'dragenter' ? depth + 1 : type === 'dragleave' && depth > 1 ? depth - 1 : 0;
}
