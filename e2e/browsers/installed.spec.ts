import { expect, test } from '../product/watched.ts';
import { browserRoot, versionOf } from './root.ts';

test('Firefox and WebKitGTK are installed, or the tests fail', () => {
  browserRoot();
  const versions = [versionOf('firefox'), versionOf('webkitgtk-webdriver')];
  process.stdout.write(`  Firefox ${versions[0]}, WebKitGTK ${versions[1]}\n`);
  for (const version of versions) expect(version).toMatch(/^\d+\.\d+/);
});
