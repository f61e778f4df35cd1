import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import { Wire } from './wire.ts';

/** Opens a socket and waits for the welcome. */
export async function enter(port: number, origin: string, token: string): Promise<Wire> {
  const wire = await Wire.open(port, origin);
  await wire.ask({ type: 'hello', version: PROTOCOL_VERSION, token }, 'welcome');
  return wire;
}

/** Processes the items, at most `width` at a time. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) await work(items[index] as T, index);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
