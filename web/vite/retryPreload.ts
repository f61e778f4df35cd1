import type { Plugin } from 'vite';

const HELPER = '\0vite/preload-helper.js';

/** Replaces Vite's loader of lazy scripts and their style sheets with one that retries three times. */
export function retryPreload(): Plugin {
  let replaced = false;
  return {
    name: 'settee-retry-preload',
    apply: 'build',
    transform(_code, id) {
      if (id !== HELPER) return undefined;
      replaced = true;
      return { code: helper, map: null };
    },
    generateBundle(_options, bundle) {
      const isLazy = Object.values(bundle).some((file) => file.type === 'chunk' && file.isDynamicEntry);
      if (isLazy && !replaced) this.error(`Vite has no module ${HELPER} any more: see retryPreload.ts`);
    },
  };
}

const helper = `
const loading = {};
const loadStyles = (name) => loading[name] ??= new Promise((done, fail) => {
  const href = '/' + name;
  if (document.querySelector('[rel=stylesheet][href="' + href + '"], [data-file="' + href + '"]')) return done();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.dataset.later = '';
  link.crossOrigin = '';
  link.href = href;
  link.onload = done;
  link.onerror = () => {
    delete loading[name];
    link.remove();
    fail(Error(href));
  };
  document.head.append(link);
});
export const __vitePreload = (load, names = [], pause = 300) =>
  Promise.all([load(), ...names.map(loadStyles)]).then(([part]) => part).catch((error) => {
    if (pause > 3000) throw error;
    return new Promise((done) => setTimeout(done, pause)).then(() => __vitePreload(load, names, pause * 3));
  });
`;
