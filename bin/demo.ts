// npm run demo [-- --seconds N] [--quiet]: an installation with sample data and simulated people, on this machine.
import { parseArgs } from 'node:util';
import { content, DEMO_PASSWORD, script } from '../tools/demo/content.ts';
import { startInstallation } from '../tools/demo/installation.ts';
import { type Simulation, startSimulation } from '../tools/demo/simulation.ts';

const usage = 'Usage: npm run demo [-- --seconds N] [--quiet]';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { seconds: { type: 'string' }, quiet: { type: 'boolean', default: false } },
  });
  const seconds = values.seconds === undefined ? undefined : Number(values.seconds);
  if (seconds !== undefined && !(seconds > 0)) throw new Error(usage);

  const over = Promise.withResolvers<void>();
  // A signal during the start ends the demo after it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => over.resolve());
  const installation = await startInstallation((line) => console.log(line));
  let simulation: Simulation | undefined;
  try {
    const { url, databaseUrl, simulationLinks } = installation;
    if (!values.quiet) simulation = await startSimulation(url, databaseUrl, simulationLinks);
    console.log(guide(url, installation.tryLink, installation.shown));
    if (seconds !== undefined) setTimeout(() => over.resolve(), seconds * 1_000);
    await over.promise;
  } finally {
    const sent = await simulation?.stop();
    if (sent !== undefined) {
      console.log(`${sent.acknowledged} messages were acknowledged, ${sent.stored} of them are stored.`);
    }
    await installation.stop();
  }
}

function guide(url: string, tryLink: string, shown: { link: string; code: string }): string {
  const { admin } = content;
  const people = content.handlers.filter((handler) => handler !== script);
  return `
  Try it as a visitor     ${tryLink}
  Answer as a handler     ${url}/handler
${people.map(({ alias, email }) => `    ${alias.padEnd(10)} ${email} / ${DEMO_PASSWORD}`).join('\n')}
  Look as administrator   ${url}/admin
    ${admin.email} / ${DEMO_PASSWORD}
  Join Jonas on another device   ${shown.link} with the code ${shown.code}

  Use one browser window for each, one of them private. All people are invented. "${script.name}", a script, answers at
  ${script.alias} if you do not. Ctrl+C ends the demo and deletes its data.
`;
}

try {
  await main();
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
