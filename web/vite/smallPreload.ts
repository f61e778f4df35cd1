import type { Plugin } from 'vite';

const HELPER = '\0vite/preload-helper.js';

/**
 * What brings the style sheets of a part that comes later. Vite's own, in the first script of every page, also knows
 * scripts, nonces and pages that are not at the root: three times the bytes.
 */
export function smallPreload(): Plugin {
  return {
    name: 'settee-small-preload',
    apply: 'build',
    transform(_code, id) {
      return id === HELPER ? { code: helper, map: null } : undefined;
    },
  };
}

/** They come together with their script, and are waited for. What failed is asked for three times more, with growing pauses. */
const helper = `
const asked = {};
const bring = (name) => asked[name] ??= new Promise((done, fail) => {
  const href = '/' + name;
  if (document.querySelector('[rel=stylesheet][href="' + href + '"]')) return done();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.dataset.later = '';
  link.crossOrigin = '';
  link.href = href;
  link.onload = done;
  link.onerror = () => {
    delete asked[name];
    link.remove();
    fail(Error(href));
  };
  document.head.append(link);
});
export const __vitePreload = (load, names = [], pause = 300) =>
  Promise.all([load(), ...names.map(bring)]).then(([part]) => part).catch((error) => {
    if (pause > 3000) throw error;
    return new Promise((done) => setTimeout(done, pause)).then(() => __vitePreload(load, names, pause * 3));
  });
`;
