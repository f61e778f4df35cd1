import { startForwarding } from '../proof/proxy.ts';

const ASK_EVERY_MS = 250;
/** One that says no, or says nothing so often in a row, is out. */
const SILENT_MAX = 3;

export type Backend = { port: number; readyUrl: string };

export type Balancer = {
  port: number;
  isReady(backend: Backend): boolean;
  /** Connections that were handed to a backend so far. */
  given(backend: Backend): number;
  close(): void;
};

/**
 * A load balancer at its simplest: asks each backend whether it is ready, hands every new connection to the next one
 * that is, and leaves those that stand alone. It finds out late, as all of them do, and tries no second backend.
 */
export async function startBalancer(backends: readonly Backend[]): Promise<Balancer> {
  const ready = new Set<Backend>();
  const given = new Map<Backend, number>();
  /** Those that are ready; when none is, those that were last. */
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
