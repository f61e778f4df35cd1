import { build, type Rolldown } from 'vite';

/** A module with all that it imports as one plain script, which leaves its exports in a global of that name. */
export async function browserBundle(entry: string, name: string): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, minify: false, lib: { entry, name, formats: ['iife'] } },
  })) as Rolldown.RolldownOutput[];
  const script = built[0]?.output[0].code;
  if (script === undefined) throw new Error(`nothing was built from ${entry}`);
  return script;
}
