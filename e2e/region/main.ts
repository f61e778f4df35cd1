// A region that breaks: every part of a large installation fails while people write.
import { Random } from '../proof/random.ts';
import { Suite } from '../proof/suite.ts';
import { INSTANCE } from './folder.ts';
import { startRegion } from './stage.ts';

const suite = new Suite();

/** Runs the region until a signal ends it. */
async function up(): Promise<void> {
  const region = await startRegion({ random: new Random(1), synchronous: true });
  suite.onLeave(() => region.close());
  const urls = {
    gateways: region.gatewayPorts.map((port) => `http://127.0.0.1:${port}`),
    database: region.databaseUrl,
    patroni: region.databases.nodes.map(({ apiPort }) => `http://127.0.0.1:${apiPort}/cluster`),
    nats: region.env.NATS_URL,
    s3: region.env.S3_ENDPOINT,
  };
  console.log(`${JSON.stringify(urls, undefined, 2)}\nThe region is up. Ctrl-C ends it.`);
  await new Promise(() => {});
}

await suite.run(up, { instances: [INSTANCE], keep: false });
