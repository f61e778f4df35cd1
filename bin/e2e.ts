// npm run e2e: tests the built product with real engines in a browser. Takes the arguments of Playwright.
import { againstProduct } from '../tools/againstProduct.ts';

process.exitCode = await againstProduct([
  'playwright',
  'test',
  '--config',
  'e2e/playwright.config.ts',
  ...process.argv.slice(2),
]);
