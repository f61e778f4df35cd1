import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import { Wire } from './wire.ts';

/** Opens a socket and waits for the welcome. */
export async function openSocket(port: number, origin: string, token: string, from?: string): Promise<Wire> {
  const wire = await Wire.open(port, origin, from);
  await wire.ask({ type: 'hello', version: PROTOCOL_VERSION, token }, 'welcome');
  return wire;
}
