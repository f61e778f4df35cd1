import type { Down } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import { WebSocket } from 'ws';
import type { SignedIn } from '../../bench/src/people.ts';
import { until } from '../proof/until.ts';
import type { Stage } from './stage.ts';

const WELCOME_WITHIN_MS = 30_000;

export type LiveSocket = { send(frame: Up): void; leave(): void };

/** Connects a person to a gateway and watches their conversations. */
export async function openSocket(
  { origin }: Pick<Stage, 'origin'>,
  port: number,
  { token, conversationIds }: SignedIn,
  on: { frame(frame: Down): void; closed(code: number): void },
): Promise<LiveSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, { origin, perMessageDeflate: false });
  const send = (frame: Up): void => socket.send(JSON.stringify(frame));
  let waiting = 1 + conversationIds.length;
  socket.on('open', () => {
    send({ type: 'hello', version: PROTOCOL_VERSION, token });
    for (const conversationId of conversationIds) send({ type: 'watch', conversationId });
  });
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as Down;
    if (frame.type === 'welcome' || frame.type === 'watched') waiting -= 1;
    on.frame(frame);
  });
  socket.on('close', on.closed);
  socket.on('error', () => {});
  if (!(await until(() => waiting === 0, WELCOME_WITHIN_MS))) throw new Error('a page cannot connect');
  return { send, leave: () => socket.removeAllListeners('close').terminate() };
}
