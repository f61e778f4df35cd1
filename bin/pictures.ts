// npm run pictures [-- --out folder]: takes the screenshots of the README in the demo, without simulated people.
// npm run pictures -- --check: takes none, and fails if a screen no longer looks as on its picture.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { showScreens } from '../e2e/pictures/showScreens.ts';
import { content, DEMO_PASSWORD } from '../tools/demo/content.ts';
import { startInstallation } from '../tools/demo/installation.ts';

/** Maximum size of one screenshot. */
const PICTURE_MAX_BYTES = 150_000;
const QUALITIES = [86, 78, 70, 60, 50];

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'docs/pictures' },
    check: { type: 'boolean', default: false },
  },
});
const folder = resolve(values.out);
/** How each screen looked when its picture was taken. */
const record = join(folder, 'looks.json');
const installation = await startInstallation((line) => console.log(line));
try {
  const { url, shown } = installation;
  const { admin, handlers } = content;
  const [handler] = handlers;
  if (handler === undefined) throw new Error('The demo has no handler.');
  const before = existsSync(record)
    ? (JSON.parse(readFileSync(record, 'utf8')) as Record<string, string>)
    : {};
  const looks: Record<string, string> = {};
  if (!values.check) mkdirSync(folder, { recursive: true });
  for await (const screen of showScreens({
    url,
    shown,
    handler: { ...handler, password: DEMO_PASSWORD },
    admin: { ...admin, password: DEMO_PASSWORD },
  })) {
    const { name, page } = screen;
    looks[name] = screen.looks;
    if (values.check) continue;
    const webp = await compressed(await page.screenshot({ animations: 'disabled' }));
    writeFileSync(join(folder, `${name}.webp`), webp);
    console.log(`  ${name}.webp  ${(webp.length / 1_000).toFixed(0)} kB`);
  }
  if (values.check) {
    const stale = Object.keys(looks).filter((name) => looks[name] !== before[name]);
    for (const name of stale) console.error(`  ${name}.webp shows an older screen: npm run pictures`);
    console.log(`${Object.keys(looks).length - stale.length} passed, ${stale.length} failed`);
    process.exitCode = stale.length > 0 ? 1 : 0;
  } else writeFileSync(record, `${JSON.stringify(looks, null, 2)}\n`);
} finally {
  await installation.stop();
}
process.exit();

/** The best quality within the limit. */
async function compressed(png: Buffer): Promise<Buffer> {
  for (const quality of QUALITIES) {
    const webp = await sharp(png).webp({ quality, effort: 6, smartSubsample: true }).toBuffer();
    if (webp.length <= PICTURE_MAX_BYTES) return webp;
  }
  throw new Error(`a picture is larger than ${PICTURE_MAX_BYTES} bytes`);
}
