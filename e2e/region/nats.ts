import { findProgram } from '../../tools/engines/program.ts';
import { newSecret } from '../../tools/engines/state.ts';
import { natsServer } from '../../tools/engines/versions.ts';
import { freePorts } from '../../tools/freePorts.ts';
import { writeConfig } from './folder.ts';
import { Machine } from './machine.ts';

export type NatsNode = {
  machine: Machine;
  url: string;
  /** The number of gateways that use this node. */
  countClients(): Promise<number>;
};

/** A cluster. `routes` has the ports at which each node reaches the others. */
export async function startNats(clusterPorts: number[], routes: number[][]): Promise<NatsNode[]> {
  const program = await findProgram(natsServer);
  if (program === undefined) throw new Error('There is no nats-server.');
  const password = newSecret();
  const ports = await freePorts(2 * clusterPorts.length);
  return clusterPorts.map((clusterPort, index): NatsNode => {
    const name = `nats-${index + 1}`;
    const [port = 0, monitorPort = 0] = ports.splice(0, 2);
    const config = {
      server_name: name,
      listen: `127.0.0.1:${port}`,
      http: `127.0.0.1:${monitorPort}`,
      authorization: { user: 'settee', password },
      // Detects a dead peer within seconds instead of minutes.
      ping_interval: '2s',
      ping_max: 2,
      cluster: {
        name: 'region',
        listen: `127.0.0.1:${clusterPort}`,
        // Nothing listens there, so that nodes use only the routes below, which can be separated.
        advertise: '127.0.0.1:9',
        routes: routes[index]?.map((route) => `nats://127.0.0.1:${route}`),
      },
    };
    const file = writeConfig(`${name}.json`, JSON.stringify(config, undefined, 2));
    const machine = new Machine({ name, root: '/', command: [program, '-c', file] });
    machine.start();
    return {
      machine,
      url: `nats://settee:${password}@127.0.0.1:${port}`,
      async countClients() {
        const response = await fetch(`http://127.0.0.1:${monitorPort}/varz`).catch(() => undefined);
        return response?.ok ? ((await response.json()) as { connections: number }).connections : 0;
      },
    };
  });
}
