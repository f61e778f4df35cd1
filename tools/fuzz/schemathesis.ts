import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../engines/state.ts';

const run = promisify(execFile);
const VERSION = '4.32.0';

/** Generates calls from the OpenAPI description. Installed from PyPI into the cache; needs Python 3.10 or newer. */
export async function schemathesisProgram(): Promise<string> {
  const folder = join(cacheFolder(), `schemathesis-${VERSION}`);
  const program = join(folder, 'bin/schemathesis');
  if (!existsSync(program)) {
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin/pip'), ['install', '--quiet', `schemathesis==${VERSION}`]);
  }
  return program;
}
