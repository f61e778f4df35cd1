import { join } from 'node:path';
import { exampleEnvironment } from '../../server/src/config/config.ts';
import { layersDiagram, partsDiagram } from './architecture.ts';
import { configurationPage } from './configuration.ts';

const root = join(import.meta.dirname, '../..');

/** The generated files that are committed, with their content. */
export function generated(): [path: string, content: string][] {
  return [
    [join(root, '.env.example'), exampleEnvironment()],
    [join(root, 'docs/configuration.md'), configurationPage()],
    ...(['light', 'dark'] as const).flatMap((theme): [string, string][] => [
      [join(root, `docs/pictures/architecture-${theme}.svg`), partsDiagram(theme)],
      [join(root, `docs/pictures/layers-${theme}.svg`), layersDiagram(theme)],
    ]),
  ];
}
