// npm run gallery [-- --only name,name] [--out folder]: screenshots of every state, in both themes and five widths.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { againstProduct } from '../tools/againstProduct.ts';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, out: { type: 'string', default: 'gallery' } },
});
const folder = resolve(values.out);
process.exitCode = await againstProduct(
  ['playwright', 'test', '--config', 'e2e/playwright.config.ts', '--project=gallery'],
  {
    environment: { GALLERY_FOLDER: folder, GALLERY_ONLY: values.only },
    cli: [['brand', 'set', '--name', 'Mara Lindqvist', '--verified', 'true']],
  },
);
if (process.exitCode === 0) console.log(`Open ${folder}/index.html`);
