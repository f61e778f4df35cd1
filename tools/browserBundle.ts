import { build, type Rolldown } from 'vite';

/** Bundles a module into one script that sets a global variable of that name. */
export async function browserBundle(entry: string, name: string): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, minify: false, lib: { entry, name, formats: ['iife'] } },
  })) as Rolldown.RolldownOutput[];
  const script = built[0]?.output[0].code;
  if (script === undefined) throw new Error(`Nothing was built from ${entry}.`);
  return script;
}
