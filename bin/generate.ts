// npm run generate: writes the generated files that are committed.
import { writeFileSync } from 'node:fs';
import { generated } from '../tools/generated/generated.ts';

for (const [path, content] of generated()) {
  writeFileSync(path, content);
  console.log(path);
}
