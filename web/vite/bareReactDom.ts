import type { Plugin } from 'vite';

const ID = '\0settee/bare-react-dom.cjs';
const CLIENT = /\/react-dom\/cjs\/react-dom-client\.production\.js$/;

/** The one thing that react-dom/client takes from react-dom: what the two share. Here nobody else is there to share it. */
export const bareReactDom = `
const no = () => {};
exports.__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE = {
  d: { f: no, r: no, D: no, C: no, L: no, m: no, X: no, S: no, M: no },
  p: 0,
  findDOMNode: null,
};
`;

/**
 * For a page that draws with react-dom/client alone: without react-dom's own calls (createPortal, flushSync, preload and
 * so on), which nobody calls there. Whoever imports them in such a page is told so: they would do nothing.
 */
export function withoutReactDom(): Plugin {
  return {
    name: 'settee-without-react-dom',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer = '') {
      if (source !== 'react-dom') return undefined;
      if (CLIENT.test(importer)) return ID;
      return this.error(`${importer} imports react-dom, which this page does without: see decision 24.`);
    },
    load: (id) => (id === ID ? bareReactDom : undefined),
  };
}
