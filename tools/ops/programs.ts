// Programs that no package provides. They are on the PATH, or built with Go, once.
import { findProgram } from '../engines/program.ts';
import type { ProgramSource } from '../engines/versions.ts';

/** Only the nightly run needs it: the build takes minutes. */
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

export async function neededProgram(source: ProgramSource): Promise<string> {
  const program = await findProgram(source);
  if (program === undefined)
    throw new Error(
      `${source.name} is not on the PATH, and neither Docker nor Go could provide it. Install Go, or ${source.name} ${source.atLeast.join('.')} or newer.`,
    );
  return program;
}
