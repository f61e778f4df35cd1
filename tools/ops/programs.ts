// Programs for the checks of ops/. `node tools/ops/programs.ts` downloads or builds what is missing.
import { findProgram } from '../engines/program.ts';
import type { ProgramSource } from '../engines/versions.ts';
import { composeSpec, kubernetesApi, moduleFile } from './goModule.ts';

export const helm: ProgramSource = {
  name: 'helm',
  atLeast: [3, 14],
  versionArgs: ['version', '--short'],
  image: 'docker.io/alpine/helm:3.22.0',
  imagePath: '/usr/bin/helm',
  module: 'helm.sh/helm/v3',
  version: 'v3.22.0',
  sum: 'h1:n1if5iQgHYsujPAcO5oonH/KiSNUmqmUF0iGVjSF3AU=',
  package: './cmd/helm',
};

export const caddy: ProgramSource = {
  name: 'caddy',
  // The first version with stream_close_delay.
  atLeast: [2, 7],
  versionArgs: ['version'],
  image: 'docker.io/library/caddy:2.11.7-alpine',
  imagePath: '/usr/bin/caddy',
  module: 'github.com/caddyserver/caddy/v2',
  version: 'v2.11.7',
  sum: 'h1:yj0Y4fYZGPkSvibBJ1sTWE33xC0fxztVyXEW5iIdUT4=',
  package: './cmd/caddy',
};

// Needs a C compiler: it parses comments with tree-sitter.
const vale: ProgramSource = {
  name: 'vale',
  atLeast: [3, 21],
  versionArgs: ['--version'],
  image: 'docker.io/jdkato/vale:v3.21.0',
  imagePath: '/bin/vale',
  module: 'github.com/errata-ai/vale/v3',
  version: 'v3.21.0',
  sum: 'h1:FTwBgAd/7oNdhavXrR7EPTkIchiuCD6uwonyp7tE6y4=',
  package: './cmd/vale',
};

export const helmProgram = (): Promise<string> => needed(helm);
export const caddyProgram = (): Promise<string> => needed(caddy);
export const valeProgram = (): Promise<string> => needed(vale);

async function needed(source: ProgramSource): Promise<string> {
  const program = await findProgram(source);
  if (program === undefined)
    throw new Error(
      `${source.name} is not on the PATH, and neither Docker nor Go could provide it. Install Go, or ${source.name} ${source.atLeast.join('.')} or newer.`,
    );
  return program;
}

if (import.meta.main) {
  await helmProgram();
  await caddyProgram();
  await valeProgram();
  for (const file of [composeSpec, kubernetesApi]) await moduleFile(file);
}
