import type { App } from '../../platform/app.ts';
import { cellPage } from '../../platform/config/config.ts';
import { isSetUp, readInstallationId } from '../../platform/db/installation.ts';
import { setupCode } from './setupCode.ts';

/** Explains to the operator how to become the first administrator. Undefined once there was one. */
export async function setupHint({ config, db }: Pick<App, 'config' | 'db'>): Promise<string | undefined> {
  if (await isSetUp(db)) return undefined;
  const code = setupCode(config, await readInstallationId(db));
  // In the fragment, which reaches no server, log or Referer.
  return `
  This installation has no administrator yet. To be the first, open
    ${cellPage(config, '/admin/setup')}#${code}
  Setup code: ${code}
`;
}
