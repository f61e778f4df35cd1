import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Patch, patched } from '../proof/patch.ts';

const HERE = new URL('./', import.meta.url).href;
const ROOT = new URL('../../', import.meta.url).href;
const SERVER = `${ROOT}server/src/`;
/** Marks a module with SQL as it is, beside the one whose functions are of the model. */
const REAL = '?real';
/** The model replaces the functions of these modules. */
const hasSql = (url: string) =>
  url.startsWith(SERVER) && (url.endsWith('.store.ts') || url.startsWith(`${SERVER}platform/db/`));
const EXPORTED = /^export (?:async )?(?:function|const) (\w+)/gm;

const PACKAGES = 'replaced/packages.ts';
const MODULES = 'replaced/modules.ts';
/** Packages and modules that wait for the network, for the thread pool or for a browser. */
const REPLACED: Record<string, string> = {
  ws: PACKAGES,
  jose: PACKAGES,
  'node:timers/promises': PACKAGES,
  react: 'replaced/react.ts',
  [`${ROOT}web/src/net/browserLive.ts`]: MODULES,
  [`${ROOT}web/src/chat/outbox/indexedDbOutbox.ts`]: MODULES,
  [`${ROOT}web/src/chat/outbox/indexedDb.ts`]: MODULES,
  [`${ROOT}web/src/chat/images/useImageScript.ts`]: MODULES,
};

/**
 * The product, imported after this call, gets the model of the database and the other replacements, and has the
 * planted fault.
 */
export async function replaceModules(fault: Patch | undefined): Promise<void> {
  let modelled: ReadonlySet<string> = new Set();
  registerHooks({
    resolve(specifier, context, next) {
      const package_ = REPLACED[specifier];
      if (package_ !== undefined) return next(HERE + package_, context);
      const found = next(specifier, context);
      const file = REPLACED[found.url];
      if (file !== undefined) return next(HERE + file, context);
      const isReal = hasSql(found.url) && context.parentURL?.startsWith(`${HERE}model/`);
      return isReal ? { ...found, url: found.url + REAL } : found;
    },
    load(url, context, next) {
      if (hasSql(url) && !url.endsWith(REAL)) {
        const source = withModel(url, modelled);
        if (source !== undefined) return { format: 'module', source, shortCircuit: true };
      }
      const loaded = next(url, context);
      if (fault === undefined || ROOT + fault.file !== url.replace(REAL, '')) return loaded;
      return { ...loaded, source: patched(Buffer.from(loaded.source as Uint8Array).toString(), fault) };
    },
  });
  const { model } = await import('./model/model.ts');
  modelled = new Set(Object.keys(model));
}

/** A module with SQL, with the functions of the model in place of its own; undefined if there are none. */
function withModel(url: string, modelled: ReadonlySet<string>): string | undefined {
  const source = readFileSync(fileURLToPath(url), 'utf8');
  const replaced = [...source.matchAll(EXPORTED)].flatMap(([, name = '']) =>
    modelled.has(name) ? name : [],
  );
  if (replaced.length === 0) return undefined;
  return `
    import { model } from '${HERE}model/model.ts';
    export * from '${url}${REAL}';
    export const { ${replaced.join(', ')} } = model;`;
}
