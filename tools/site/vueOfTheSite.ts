import { join } from 'node:path';

type Resolver = { resolve(id: string, importer: string, options: { skipSelf: boolean }): Promise<unknown> };

/** The Markdown files are outside of this folder, and would not find the Vue that is installed in it. */
export function vueOfTheSite() {
  return {
    name: 'settee:vue-of-the-site',
    enforce: 'pre' as const,
    resolveId(this: Resolver, id: string): Promise<unknown> | undefined {
      if (id !== 'vue' && id !== 'vue/server-renderer') return undefined;
      return this.resolve(id, join(import.meta.dirname, 'package.json'), { skipSelf: true });
    },
  };
}
