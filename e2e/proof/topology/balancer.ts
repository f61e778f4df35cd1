import { startForwarding } from '../proxy.ts';

const ASK_EVERY_MS = 250;
/** A backend is removed if it is not ready, or does not answer this often in a row. */
const SILENT_MAX = 3;

export type Backend = { port: number; readyUrl: string };

export type Balancer = {
  port: number;
  isReady(backend: Backend): boolean;
  /** The number of connections of a backend so far. */
  given(backend: Backend): number;
  close(): void;
};

/**
 * A simple load balancer. It asks each backend whether it is ready, gives every new connection to the next ready one, and
 * keeps existing connections. It notices changes late and tries no second backend.
 */
export async function startBalancer(backends: readonly Backend[]): Promise<Balancer> {
  const ready = new Set<Backend>();
  const given = new Map<Backend, number>();
  /** The ready backends. If there are none, the last ones that were. */
  let choice = backends;
  let turn = 0;
  let closed = false;

  async function ask(backend: Backend): Promise<void> {
    let silent = 0;
    while (!closed) {
      const answer = await fetch(backend.readyUrl, { signal: AbortSignal.timeout(2_000) }).catch(
        () => undefined,
      );
      await answer?.body?.cancel();
      silent = answer === undefined ? silent + 1 : 0;
      if (answer?.ok === true) ready.add(backend);
      else if (answer !== undefined || silent >= SILENT_MAX) ready.delete(backend);
      if (ready.size > 0) choice = [...ready];
      await new Promise((done) => setTimeout(done, ASK_EVERY_MS));
    }
  }

  function next(): number {
    turn += 1;
    const backend = choice[turn % choice.length];
    if (backend === undefined) throw new Error('a balancer needs a backend');
    given.set(backend, (given.get(backend) ?? 0) + 1);
    return backend.port;
  }

  const { port, close } = await startForwarding(next, ({ client, server }) => {
    client.pipe(server);
    server.pipe(client);
  });
  const asking = backends.map(ask);
  return {
    port,
    isReady: (backend) => ready.has(backend),
    given: (backend) => given.get(backend) ?? 0,
    close() {
      closed = true;
      void Promise.all(asking);
      close();
    },
  };
}
