import { listFormat } from '../browser/listText.ts';

/** "Ana, Ben, Cleo". Each name keeps its own direction. */
export function NameList({ names }: { names: readonly string[] }) {
  return listFormat()
    .formatToParts(names)
    .map(({ type, value }, at) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: two desks may have one name
      type === 'element' ? <bdi key={at}>{value}</bdi> : value,
    );
}
