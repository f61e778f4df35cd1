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
    if (!line.test(kept)) throw new Error(`React has no export named ${name} any more: see bareReact.ts`);
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
        this.error(`${id} imports ${missing.trim()}, which this page does without: see bareReact.ts`);
      return undefined;
    },
  };
}
