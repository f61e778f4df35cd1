import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { GatewayProcess } from '../../e2e/proof/gatewayProcess.ts';

const STOPS_WITHIN_MS = 30_000;

type Result = { code: number | null; output: string };

/** One release with its settings: its command line, its gateway and its worker. */
export class Installation {
  readonly #build: string;
  readonly #env: Record<string, string>;
  #running: GatewayProcess[] = [];

  constructor(build: string, env: Record<string, string>) {
    this.#build = build;
    this.#env = env;
  }

  /** `settee …`; fails if the command fails. */
  async settee(args: readonly string[], options: { input?: string; env?: Record<string, string> } = {}) {
    const result = await this.try(args, options);
    if (result.code !== 0)
      throw new Error(`settee ${args.join(' ')} ended with ${result.code}: ${result.output}`);
    return result.output;
  }

  async try(
    args: readonly string[],
    { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
  ): Promise<Result> {
    const child = spawn(process.execPath, [join(this.#build, 'server/src/cli.ts'), ...args], {
      cwd: this.#build,
      env: { PATH: process.env.PATH ?? '', ...this.#env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes) => (output += String(bytes)));
    child.stdin.end(input);
    return new Promise((done) => child.once('close', (code) => done({ code, output })));
  }

  async start(ports: { gateway: number; private: number; workerPrivate: number }): Promise<void> {
    const start = (name: string, privatePort: number, entry: string): GatewayProcess =>
      new GatewayProcess({
        name,
        port: ports.gateway,
        readyUrl: `http://127.0.0.1:${privatePort}/readyz`,
        entry,
        build: this.#build,
        env: { ...this.#env, PRIVATE_PORT: String(privatePort) },
        clockAnHourAhead: false,
      });
    this.#running = [
      start('gateway', ports.private, 'server/src/main.ts'),
      start('worker', ports.workerPrivate, 'server/src/jobs/worker.ts'),
    ];
    await Promise.all(this.#running.map((each) => each.start()));
  }

  async stop(): Promise<void> {
    for (const each of this.#running.splice(0)) {
      const { code } = await each.terminate(STOPS_WITHIN_MS);
      if (code !== 0) throw new Error(`${each.name} ended with ${code}`);
    }
  }
}
