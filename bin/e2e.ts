// npm run e2e: the built product on real engines, driven by a real browser. Arguments go to Playwright.
import { againstProduct } from '../tools/againstProduct.ts';

process.exitCode = await againstProduct([
  'playwright',
  'test',
  '--config',
  'e2e/playwright.config.ts',
  ...process.argv.slice(2),
]);
