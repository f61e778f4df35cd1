// npm run site [-- --serve]: builds the documentation site into tools/site/dist and checks its links.
import { parseArgs } from 'node:util';
import { closingLine } from '../tools/check/counts.ts';
import { OUT } from '../tools/site/config.ts';
import { brokenLinks } from '../tools/site/links.ts';
import { installVitePress, vitepress } from '../tools/site/vitepress.ts';

const { values } = parseArgs({ options: { serve: { type: 'boolean' } } });
installVitePress();
vitepress('build');
const { pages, links, broken } = brokenLinks(OUT);
for (const problem of broken) console.error(problem);
console.log(`  ${pages} pages, ${links} links, ${broken.length} broken`);
console.log(closingLine({ passed: broken.length === 0 ? 1 : 0, failed: broken.length, skipped: 0 }));
process.exitCode = broken.length === 0 ? 0 : 1;
if (values.serve === true) vitepress('preview');
