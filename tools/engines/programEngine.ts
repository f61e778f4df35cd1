// An engine that is one program: NATS and SeaweedFS.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess, isAlive, lastLines, signal, startDetached } from './process.ts';
import { findProgram } from './program.ts';
import { claimRecord, comesUp, type EngineRecord, instanceFolder, readRecord, writeRecord } from './state.ts';
import type { ProgramSource } from './versions.ts';

export type ProgramEngine = {
  name: 'nats' | 's3';
  program: ProgramSource;
  extraPorts: number;
  stopSeconds: number;
  answers(record: EngineRecord): Promise<boolean>;
  /** Like `answers`, but may finish the setup. */
  ready(record: EngineRecord): Promise<boolean>;
  /** Writes the configuration to `folder`, the working directory. Returns the arguments. */
  configure(record: EngineRecord, folder: string): string[];
};

/** Returns undefined if the program is not available. */
export async function startProgram(
  engine: ProgramEngine,
  instance: string,
): Promise<EngineRecord | undefined> {
  const running = readRecord(instance, engine.name);
  if (running !== undefined && isAlive(running.process)) {
    signal(running.process.pid, 'SIGCONT');
    // Others may use it, and the machine may be busy.
    if (await comesUp(running, engine.answers, 60)) return running;
    await endProcess(running.process, 'SIGTERM', 10);
  }
  const program = await findProgram(engine.program);
  if (program === undefined) return undefined;
  const record = await claimRecord(instance, engine.name, engine.extraPorts);
  const cwd = join(instanceFolder(instance), engine.name);
  mkdirSync(cwd, { recursive: true, mode: 0o700 });
  const log = join(instanceFolder(instance), `${engine.name}.log`);
  record.process = await startDetached(program, engine.configure(record, cwd), { log, cwd });
  writeRecord(instance, engine.name, record);
  if (await comesUp(record, engine.ready, 120)) return record;
  throw new Error(`${engine.program.name} did not start. The end of ${log}:\n${lastLines(log)}`);
}

export async function stopProgram({ name, stopSeconds }: ProgramEngine, instance: string): Promise<void> {
  const process = readRecord(instance, name)?.process;
  if (isAlive(process)) await endProcess(process, 'SIGTERM', stopSeconds);
}
