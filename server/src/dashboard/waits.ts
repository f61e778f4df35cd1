import { median } from './median.ts';

/** The format of wait_entry in the database: five bytes of milliseconds, three bytes of desk number. */
const ENTRY_BYTES = 8;
const DESK_BITS = 24;
const DESK_MASK = 2 ** DESK_BITS - 1;
const UPPER_HALF = 2 ** (32 - DESK_BITS);

/** First replies: the visitor's wait and the desk. A month may have hundreds of thousands. */
export type Waits = { ms: Float64Array; desks: Uint32Array };

export function readWaits(base64: string): Waits {
  const bytes = Buffer.from(base64, 'base64');
  const length = bytes.length / ENTRY_BYTES;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const waits = { ms: new Float64Array(length), desks: new Uint32Array(length) };
  for (let n = 0, at = 0; n < length; n += 1, at += ENTRY_BYTES) {
    const lower = view.getUint32(at + 4);
    waits.ms[n] = view.getUint32(at) * UPPER_HALF + (lower >>> DESK_BITS);
    waits.desks[n] = lower & DESK_MASK;
  }
  return waits;
}

/** Those of some desks. */
export function waitsAt({ ms, desks }: Waits, isShown: (desk: number) => boolean): Waits {
  const isKept = (_: number, n: number) => isShown(desks[n] ?? 0);
  return { ms: ms.filter(isKept), desks: desks.filter(isKept) };
}

/** The median in milliseconds; null if there are none. */
export function medianWait(all: readonly Waits[]): number | null {
  const ms = new Float64Array(all.reduce((sum, waits) => sum + waits.ms.length, 0));
  let at = 0;
  for (const waits of all) {
    ms.set(waits.ms, at);
    at += waits.ms.length;
  }
  return median(ms);
}

/** The same per desk number. */
export function medianWaitByDesk(all: readonly Waits[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { desks } of all) for (const desk of desks) counts.set(desk, (counts.get(desk) ?? 0) + 1);
  const own = new Map([...counts].map(([desk, count]) => [desk, { ms: new Float64Array(count), filled: 0 }]));
  for (const { ms, desks } of all) {
    for (let n = 0; n < desks.length; n += 1) {
      const place = own.get(desks[n] ?? 0);
      if (place === undefined) continue;
      place.ms[place.filled] = ms[n] ?? 0;
      place.filled += 1;
    }
  }
  return new Map([...own].map(([desk, { ms }]) => [desk, median(ms) ?? 0]));
}
