import { randomUUID } from 'node:crypto';
import { connect } from '@nats-io/transport-node';
import { natsOptions } from './nats.ts';

const ANSWER_MS = 5_000;

/** Connects once, as a gateway does, and has a message come back by way of the server. */
export async function probeNats(url: string, cell: string): Promise<{ version: string; ms: number }> {
  const connection = await connect({ ...natsOptions(url), reconnect: false, timeout: ANSWER_MS });
  try {
    // The same prefix as that of hints: rights may be given by subject.
    const subject = `settee.${cell}.doctor.${randomUUID()}`;
    const subscription = connection.subscribe(subject, { max: 1 });
    const began = performance.now();
    const heard = (async () => {
      for await (const _ of subscription) return true;
      return false;
    })();
    connection.publish(subject, 'x');
    const late = new Promise<false>((done) => void setTimeout(done, ANSWER_MS, false).unref());
    if (!(await Promise.race([heard, late]))) throw Object.assign(new Error(), { code: 'NO_ROUND_TRIP' });
    return { version: connection.info?.version ?? '0', ms: performance.now() - began };
  } finally {
    await connection.close();
  }
}
