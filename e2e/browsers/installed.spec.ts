import { expect, test } from '../product/watched.ts';
import { browserRoot } from './root.ts';

test('Firefox and WebKitGTK are installed, or the tests fail', () => {
  const { firefox, webKit } = browserRoot();
  process.stdout.write(`  Firefox ${firefox}, WebKitGTK ${webKit}\n`);
  for (const version of [firefox, webKit]) expect(version).toMatch(/^\d+\.\d+/);
});
