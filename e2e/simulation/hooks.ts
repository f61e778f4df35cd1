import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Patch } from '../proof/patch.ts';

const HERE = new URL('./', import.meta.url).href;
const ROOT = new URL('../../', import.meta.url).href;
const DATABASE = `${ROOT}server/src/db/`;

/** Packages and modules that wait for the network, for the thread pool or for a browser. */
const REPLACED: Record<string, string> = {
  // Faster than the real one over streams in memory, which would take half of the time of a seed.
  ws: 'replaced/ws.ts',
  // The real one signs and verifies in the thread pool.
  jose: 'replaced/jose.ts',
  'node:timers/promises': 'replaced/timersPromises.ts',
  react: 'replaced/react.ts',
  [`${ROOT}web/src/net/browserLive.ts`]: 'replaced/browserLive.ts',
  [`${ROOT}web/src/chat/outbox/safeOutbox.ts`]: 'replaced/safeOutbox.ts',
  [`${ROOT}web/src/chat/outbox/indexedDb.ts`]: 'replaced/indexedDb.ts',
  [`${ROOT}web/src/chat/images/useImageScript.ts`]: 'replaced/useImageScript.ts',
};

/**
 * The product, imported after this call, gets the model of the database and the other replacements, and has the
 * planted faults. A text to replace must occur exactly once.
 */
export function replaceModules(patches: readonly Patch[]): void {
  registerHooks({
    resolve(specifier, context, next) {
      const package_ = REPLACED[specifier];
      if (package_ !== undefined) return next(HERE + package_, context);
      const found = next(specifier, context);
      const file = REPLACED[found.url] ?? modelOf(found.url);
      if (file === undefined || context.parentURL?.startsWith(`${HERE}model/`)) return found;
      return next(HERE + file, context);
    },
    load(url, context, next) {
      const loaded = next(url, context);
      const here = patches.filter(({ file }) => ROOT + file === url);
      if (here.length === 0) return loaded;
      let source = Buffer.from(loaded.source as Uint8Array).toString();
      for (const { file, find, put } of here) {
        const parts = source.split(find);
        if (parts.length !== 2)
          throw new Error(
            `This planted fault no longer applies: ${file} contains "${find}" ${parts.length - 1} times, not once. Update it to the current code.`,
          );
        source = parts.join(put);
      }
      return { ...loaded, source };
    },
  });
}

function modelOf(url: string): string | undefined {
  if (!url.startsWith(DATABASE)) return undefined;
  const file = `model/${url.slice(DATABASE.length)}`;
  return existsSync(fileURLToPath(HERE + file)) ? file : undefined;
}
