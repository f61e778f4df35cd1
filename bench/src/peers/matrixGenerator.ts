// A separate process: users of a Matrix server, who send to their partners at a given rate or stay idle.
import { forEachConcurrently } from '../../../server/src/limits/concurrency.ts';
import { currentStep, generate, type Sender } from '../step.ts';
import { PEER_TEXT } from '../text.ts';
import { callMatrix } from './matrix.ts';

/** Two tokens and their room. */
export type MatrixPair = { sender: string; receiver: string; room: string };
/** `idle`: tokens of users who only wait for events. */
export type MatrixSetup = { port: number; pairs: MatrixPair[]; idle: string[] };

type Sync = {
  next_batch: string;
  rooms?: { join?: Record<string, { timeline: { events: { content: { number?: number } }[] } }> };
};

const WIDTH = 4;
const POLL_MS = 30_000;
const NONE = { types: [] };
const FILTER = encodeURIComponent(
  JSON.stringify({
    presence: NONE,
    account_data: NONE,
    room: { account_data: NONE, ephemeral: NONE, state: NONE, timeline: { limit: 1_000 } },
  }),
);

/** Waits for events for ever. Resolves after the first sync, which has the state so far. */
async function receiveAll(port: number, token: string): Promise<void> {
  const sync = (since: string): Promise<Sync> =>
    callMatrix(port, 'GET', `sync?filter=${FILTER}${since}`, token);
  const { next_batch: first } = await sync('');
  const follow = async (): Promise<never> => {
    for (let next = first; ; ) {
      const { next_batch, rooms } = await sync(`&timeout=${POLL_MS}&since=${next}`);
      next = next_batch;
      for (const { timeline } of Object.values(rooms?.join ?? {}))
        for (const { content } of timeline.events)
          if (content.number !== undefined) currentStep()?.onMessage(content.number);
    }
  };
  follow().catch((error: unknown) => currentStep()?.onClose(String(error)));
}

async function connectAll({ port, pairs, idle }: MatrixSetup): Promise<Sender[]> {
  await forEachConcurrently([...pairs.map(({ receiver }) => receiver), ...idle], WIDTH, (token) =>
    receiveAll(port, token),
  );
  return pairs.map(({ sender, room }) => ({
    send(number) {
      const path = `rooms/${encodeURIComponent(room)}/send/m.room.message/${number}`;
      callMatrix(port, 'PUT', path, sender, { msgtype: 'm.text', body: PEER_TEXT, number }).then(
        () => currentStep()?.onAck(number),
        () => currentStep()?.onRefusal(),
      );
    },
    lastSeq: 0,
    lastNumber: 0,
  }));
}

generate(connectAll);
