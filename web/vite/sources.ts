import { accessSync } from 'node:fs';
import { join } from 'node:path';
import { staffCatalogue, visitorCatalogue } from '@settee/protocol/texts/catalogues';
import type { Plugin } from 'vite';

const REACT = /\/react\/cjs\/react\.production\.js$/;

/**
 * Parts of React that the visitor's page never calls. The bundler cannot remove unused exports of a CommonJS module.
 */
const unused = [
  ...['Activity', 'Children', 'Profiler', 'PureComponent', 'Suspense', '__COMPILER_RUNTIME'],
  ...['cache', 'cacheSignal', 'cloneElement', 'createElement', 'createRef', 'forwardRef', 'isValidElement'],
  ...['lazy', 'startTransition', 'unstable_useCacheRefresh', 'use', 'useActionState', 'useDebugValue'],
  ...['useDeferredValue', 'useImperativeHandle', 'useInsertionEffect', 'useOptimistic', 'useTransition'],
];

/** React's module without the exports above. */
export function bareReact(code: string): string {
  return unused.reduce((kept, name) => {
    const line = new RegExp(
      `^exports\\.${name} =(?: \\w+;| (?:function \\([^)]*\\) )?\\{(?:\\};|[^]*?^\\};))$`,
      'm',
    );
    if (!line.test(kept))
      throw new Error(`React has no export named ${name} any more: see web/vite/sources.ts`);
    return kept.replace(line, '');
  }, code);
}

/** For the visitor's page: removes the parts of React that it does not use. Importing one of them is an error. */
export function withoutSpareReact(): Plugin {
  return {
    name: 'settee-without-spare-react',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (REACT.test(id)) return { code: bareReact(code), map: null };
      const imported = /import \{([^}]*)\} from 'react';/.exec(code)?.[1]?.split(',') ?? [];
      const missing = imported.find((name) => unused.includes(name.trim()));
      if (missing)
        this.error(`${id} imports ${missing.trim()}, which this page does without: see web/vite/sources.ts`);
      return undefined;
    },
  };
}

const CODES = join(import.meta.dirname, '../../protocol/src/model/errorCodes.ts');

/** Built pages accept any error code, so that a page of an older release understands refusals of a newer server. */
export function openErrorCodes(): Plugin {
  return {
    name: 'settee-open-error-codes',
    apply: 'build',
    enforce: 'pre',
    buildStart: () => accessSync(CODES),
    transform: (code, id) => (id === CODES ? { code: withAnyCode(code), map: null } : undefined),
  };
}

/** Keeps all line numbers. */
export function withAnyCode(code: string): string {
  const list = /v\.picklist\(\[[^\]]*\]\)/;
  if (!list.test(code)) throw new Error('errorCodes.ts has no list of codes to replace');
  return code.replace(list, (whole) => `v.string()${whole.replace(/[^\n]/g, '')}`);
}

const CALLS = /\/protocol\/src\/calls\/\w+Calls\.ts$/;
/** What only a gateway and the API description use of a call. */
const GATEWAY_PARTS = 'summary|cookie|rate|refusals|refused|scope|query|bodyMax|tooManyBytes';

type Node = { type: string; start: number; end: number; [key: string]: unknown };

/** Removes what no page uses of a call. Bodies stay for a page that checks a form with them. */
export function callsForPage({ checksForms }: { checksForms: boolean }): Plugin {
  const parts = new RegExp(`^(?:${GATEWAY_PARTS}${checksForms ? '' : '|body'})$`);
  return {
    name: 'settee-calls-for-page',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!CALLS.test(id)) return undefined;
      const program = this.parse(code, { lang: 'ts' }) as unknown as Node & { body: Node[] };
      const kept = gatewayParts(program, parts).reduceRight(blank, code);
      // An import that is left over would keep its file in the first script.
      const spare = program.body.filter((node) => isSpareImport(node, kept));
      return { code: spare.reduceRight(blank, kept), map: null };
    },
  };
}

function isSpareImport({ type, specifiers }: Node, code: string): boolean {
  if (type !== 'ImportDeclaration') return false;
  return (specifiers as { local: { name: string } }[]).every(
    ({ local }) => code.match(new RegExp(`\\b${local.name}\\b`, 'g'))?.length === 1,
  );
}

/** In the order of the source. */
function gatewayParts(node: Node, parts: RegExp): Node[] {
  if (node.type === 'CallExpression' && (node.callee as Node).name === 'call') {
    const [declared] = node.arguments as (Node & { properties: (Node & { key?: { name?: string } })[] })[];
    return declared?.properties.filter(({ key }) => parts.test(key?.name ?? '')) ?? [];
  }
  const children = Object.values(node).flat() as (Node | null)[];
  return children.flatMap((child) => (typeof child?.type === 'string' ? gatewayParts(child, parts) : []));
}

/** Keeps all line numbers. */
function blank(code: string, { start, end }: Node): string {
  const comma = /^\s*,/.exec(code.slice(end))?.[0].length ?? 0;
  return (
    code.slice(0, start) + code.slice(start, end + comma).replace(/[^\n]/g, ' ') + code.slice(end + comma)
  );
}

const SOURCE = join(import.meta.dirname, '../src/browser/pageTexts.ts');
const TEXTS = /\/protocol\/src\/(?:texts\/\w+|translations\/cardTextsByLanguage)\.ts$/;
const names = new Set([...Object.keys({ ...visitorCatalogue, ...staffCatalogue }), 'cardTextsByLanguage']);

/** Pages take their texts from the catalogue in the HTML. Tests import the English ones directly. */
export function textsFromPage(): Plugin {
  return {
    name: 'settee-texts-from-page',
    enforce: 'pre',
    transform(code, id) {
      if (!TEXTS.test(id)) return undefined;
      const exported = [...code.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name);
      const tables = exported.filter((name) => names.has(name));
      if (tables.length === 0) return undefined;
      const lines = tables.map((name) => `export const ${name} = pageTexts.${name} ?? {};`);
      return {
        code: [`import { pageTexts } from ${JSON.stringify(SOURCE)};`, ...lines].join('\n'),
        map: null,
      };
    },
  };
}

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
      if (isLazy && !replaced) this.error(`Vite has no module ${HELPER} any more: see web/vite/sources.ts`);
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
