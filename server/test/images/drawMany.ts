// Started by manyDrawn.ts. Does what child.ts does for many files in one process, so that thousands take seconds.
import { writeAnswer } from '../../src/images/answer.ts';
import { allowOnlyLoader, draw } from '../../src/images/draw.ts';
import { kindOf } from '../../src/images/kinds.ts';

process.on('message', (file: Uint8Array) => void drawn(file));

async function drawn(file: Uint8Array): Promise<void> {
  const kind = kindOf(file);
  if (kind === undefined) throw new Error('only what has a kind is sent here');
  allowOnlyLoader(kind);
  process.send?.(Buffer.concat(writeAnswer(await draw(file, kind))));
}
