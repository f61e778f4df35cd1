// npm run demo [-- --seconds N] [--quiet]: a filled, lively installation to look at, on this machine.
import { parseArgs } from 'node:util';
import { type Cast, startCast } from '../tools/demo/cast.ts';
import { startInstallation } from '../tools/demo/installation.ts';
import { admin, DEMO_PASSWORD, handlers, script } from '../tools/demo/staff.ts';

const usage = 'Usage: npm run demo [-- --seconds N] [--quiet]';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { seconds: { type: 'string' }, quiet: { type: 'boolean', default: false } },
  });
  const seconds = values.seconds === undefined ? undefined : Number(values.seconds);
  if (seconds !== undefined && !(seconds > 0)) throw new Error(usage);

  const over = Promise.withResolvers<void>();
  // Asked for before anything has started: it ends as soon as it has.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => over.resolve());
  const installation = await startInstallation((line) => console.log(line));
  let cast: Cast | undefined;
  try {
    const { url, databaseUrl, castLinks } = installation;
    if (!values.quiet) cast = await startCast(url, databaseUrl, castLinks);
    console.log(guide(url, installation.tryLink, installation.shown));
    if (seconds !== undefined) setTimeout(() => over.resolve(), seconds * 1_000);
    await over.promise;
  } finally {
    const left = await cast?.leave();
    if (left !== undefined) {
      console.log(`${left.acknowledged} messages were acknowledged, ${left.stored} of them are stored.`);
    }
    await installation.stop();
  }
}

function guide(url: string, tryLink: string, shown: { link: string; code: string }): string {
  const people = handlers.filter((handler) => handler !== script);
  return `
  Try it as a visitor     ${tryLink}
  Answer as a handler     ${url}/handler
${people.map(({ alias, email }) => `    ${alias.padEnd(10)} ${email} / ${DEMO_PASSWORD}`).join('\n')}
  Look as administrator   ${url}/admin
    ${admin.email} / ${DEMO_PASSWORD}
  Join Jonas on another device   ${shown.link} with the code ${shown.code}

  Use one browser window for each, one of them private. Everybody you meet is made up; "${script.name}", a script, answers at
  ${script.alias} if you do not. Ctrl+C ends the demo and all that it started; nothing of it is kept.
`;
}

try {
  await main();
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
