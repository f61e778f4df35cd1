import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort, portIsFree, reservePort } from './freePorts.ts';

test.skipIf(process.platform !== 'linux')(
  'no other process gets a chosen port, also before its server starts',
  async () => {
    const port = await freePort();
    expect(await portIsFree(port)).toBe(true);
    const module = JSON.stringify(join(import.meta.dirname, 'freePorts.ts'));
    const script = `import(${module}).then(async ({ reservePort }) => console.log(await reservePort(${port})))`;
    expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })).toBe('false\n');
    expect(await reservePort(port)).toBe(false);
  },
);
