// nats-server with a password, its state in nothing but its config file.
import { connect } from 'node:net';
import { join } from 'node:path';
import { endProcess, isAlive, lastLines, signal, startDetached } from './process.ts';
import { findProgram } from './program.ts';
import {
  claimRecord,
  comesUp,
  type EngineRecord,
  instanceFolder,
  readRecord,
  writePrivately,
  writeRecord,
} from './state.ts';
import { natsServer } from './versions.ts';

export function natsUrl(record: EngineRecord): string {
  return `nats://${record.user}:${record.password}@127.0.0.1:${record.port}`;
}

// A whole hello of the NATS protocol: only a server that takes our password answers PONG.
export async function natsAnswers(record: EngineRecord): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(record.port, '127.0.0.1');
    let heard = '';
    const finish = (answer: boolean) => {
      socket.destroy();
      done(answer);
    };
    socket.setTimeout(2000, () => finish(false));
    socket.on('error', () => finish(false)).on('close', () => finish(false));
    socket.on('data', (bytes) => {
      const greeted = heard.startsWith('INFO ');
      heard += bytes.toString('latin1');
      if (!greeted && heard.startsWith('INFO ')) {
        const hello = {
          user: record.user,
          pass: record.password,
          verbose: false,
          pedantic: false,
          name: 'settee-engines',
        };
        socket.write(`CONNECT ${JSON.stringify(hello)}\r\nPING\r\n`);
      }
      if (heard.includes('\r\nPONG')) finish(true);
      else if (heard.includes('\r\n-ERR')) finish(false);
    });
  });
}

export async function startNats(instance: string): Promise<EngineRecord | undefined> {
  const running = readRecord(instance, 'nats');
  if (isAlive(running?.process) && running !== undefined) {
    signal(running.process.pid, 'SIGCONT');
    if (await comesUp(running, natsAnswers, 5)) return running;
    await endProcess(running.process, 'SIGTERM', 5);
  }
  const program = await findProgram(natsServer);
  if (program === undefined) return undefined;

  const record = await claimRecord(instance, 'nats');
  const folder = instanceFolder(instance);
  const config = join(folder, 'nats.conf');
  writePrivately(
    config,
    [
      `listen: "127.0.0.1:${record.port}"`,
      `server_name: "settee-${instance}"`,
      `authorization { user: "${record.user}", password: "${record.password}" }`,
      // A dead client or server is noticed within seconds, not the minutes of the default.
      'ping_interval: "2s"',
      'ping_max: 2',
      '',
    ].join('\n'),
  );
  const log = join(folder, 'nats.log');
  record.process = await startDetached(program, ['-c', config], { log, cwd: folder });
  writeRecord(instance, 'nats', record);
  if (!(await comesUp(record, natsAnswers, 15))) {
    throw new Error(`nats-server did not start. The end of ${log}:\n${lastLines(log)}`);
  }
  return record;
}

export async function stopNats(instance: string): Promise<void> {
  const identity = readRecord(instance, 'nats')?.process;
  if (isAlive(identity)) await endProcess(identity, 'SIGTERM', 15);
}
