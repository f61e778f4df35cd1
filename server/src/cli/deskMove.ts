import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import type { Cell } from '../cells/moveDesk.ts';
import { countOf } from '../doctor/finding.ts';
import { systemClock, systemRandom } from '../platform/adapters/system.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { reconcileSecret } from '../reconcileSecret.ts';
import { type Command, string, withDatabase } from './command.ts';

// Modules are loaded on demand, to keep other commands fast.

export const deskMove: Command = {
  help: 'move a desk with its people, invites, conversations and images to another cell; pauses it for seconds',
  options: {
    alias: { type: 'string', help: 'the desk', required: true },
    to: { type: 'string', help: 'file with the environment of the other cell', required: true },
    cancel: { type: 'boolean', help: 'do not move; end the pause of an interrupted move' },
  },
  async run(values) {
    const alias = string(values, 'alias');
    const [from, to] = [await cellOf(readConfig()), await cellOf(await readOther(string(values, 'to')))];
    const { moveDesk, stayHere } = await import('../cells/moveDesk.ts');
    const { withEnds } = await import('../cells/copyRows.store.ts');
    await withEnds(from.config, to.config, async (ends) => {
      if (values.cancel === true) {
        await stayHere({ alias, ends, from });
        return console.log(`The desk ${alias} works here again.`);
      }
      const log = (line: string): void => console.log(line);
      const moved = await moveDesk({ alias, from, to, ends, random: systemRandom, log });
      if (moved === undefined) return;
      const { conversations, messages, images, pausedMs } = moved;
      console.log(
        `Moved ${countOf(conversations, 'conversation')}, ${countOf(messages, 'message')} and ${countOf(images, 'image')}. All rows were compared. The desk was paused for ${(pausedMs / 1_000).toFixed(1)} s.`,
      );
    });
  },
};

async function readOther(file: string): Promise<Config> {
  return readConfig(parseEnv(await readFile(file, 'utf8')) as Record<string, string>);
}

/** Fails early if SECRET is wrong, and reads the older keys. */
async function cellOf(config: Config): Promise<Cell> {
  await withDatabase(config, async (db) => {
    if ((await reconcileSecret({ config, db, random: systemRandom })) === 'unknown')
      throw new Error(`The SECRET of the cell ${config.cell} does not match its database.`);
  });
  const { openMedia } = await import('../media/media.adapter.ts');
  return { config, media: await openMedia(config, { clock: systemClock, random: systemRandom }) };
}
