// The gateway process: node server/src/main.ts. With GATEWAYS it starts several gateways, which run this file again.
import cluster from 'node:cluster';
import { readConfig } from './platform/config/config.ts';
import { exitWithError } from './platform/log/crashHandlers.ts';
import { configOfGateway, superviseGateways } from './start/superviseGateways.ts';

async function main(): Promise<void> {
  const config = readConfig();
  if (config.gateways > 1 && cluster.isPrimary) return superviseGateways(config);
  // The supervisor does not need it, and stays small.
  const { serve } = await import('./start/serve.ts');
  await serve(configOfGateway(config));
}

main().catch(exitWithError);
