// nats-server with a password. It stores nothing.
import { connect } from 'node:net';
import { join } from 'node:path';
import type { ProgramEngine } from './programEngine.ts';
import { type EngineRecord, writePrivately } from './state.ts';
import { natsServer } from './versions.ts';

export function natsUrl(record: EngineRecord): string {
  return `nats://${record.user}:${record.password}@127.0.0.1:${record.port}`;
}

// A server that does not accept our password does not answer PONG.
function natsAnswers({ port, user, password: pass }: EngineRecord): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const finish = (answer: boolean) => {
      socket.destroy();
      done(answer);
    };
    socket.setTimeout(2000, () => finish(false));
    socket.on('error', () => finish(false)).on('close', () => finish(false));
    socket.on('data', (bytes) => {
      if (received === '') {
        const hello = { user, pass, verbose: false, pedantic: false, name: 'settee-engines' };
        socket.write(`CONNECT ${JSON.stringify(hello)}\r\nPING\r\n`);
      }
      received += bytes.toString('latin1');
      if (received.includes('\r\nPONG')) finish(true);
      else if (received.includes('\r\n-ERR')) finish(false);
    });
  });
}

export const nats: ProgramEngine = {
  name: 'nats',
  program: natsServer,
  extraPorts: 0,
  stopSeconds: 15,
  answers: natsAnswers,
  ready: natsAnswers,
  configure({ port, user, password }, folder) {
    const config = join(folder, 'nats.conf');
    const lines = [
      `listen: "127.0.0.1:${port}"`,
      `authorization { user: "${user}", password: "${password}" }`,
      // Detects a dead peer within seconds instead of minutes.
      'ping_interval: "2s"',
      'ping_max: 2',
    ];
    writePrivately(config, `${lines.join('\n')}\n`);
    return ['-c', config];
  },
};
