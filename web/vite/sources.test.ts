import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { bareReact, withAnyCode } from './sources.ts';

test('the visitor’s page has all of React that react-dom/client and the page’s hooks need, and no more', () => {
  const file = createRequire(import.meta.url)
    .resolve('react')
    .replace('index.js', 'cjs/react.production.js');
  const exports: Record<string, unknown> = {};
  runInNewContext(bareReact(readFileSync(file, 'utf8')), { exports, process: {} });
  expect(Object.keys(exports).toSorted()).toEqual([
    'Component',
    'Fragment',
    'StrictMode',
    '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
    'createContext',
    'memo',
    'useCallback',
    'useContext',
    'useEffect',
    'useEffectEvent',
    'useId',
    'useLayoutEffect',
    'useMemo',
    'useReducer',
    'useRef',
    'useState',
    'useSyncExternalStore',
    'version',
  ]);
});

test('an error code may be any string, and every line keeps its number', () => {
  const table = readFileSync(`${import.meta.dirname}/../../protocol/src/calls/errorCodes.ts`, 'utf8');
  const left = withAnyCode(table);
  expect(table).toContain("'push_refused'");
  expect(left).not.toContain("'push_refused'");
  expect(left).toContain('ErrorCode = v.string()');
  expect(left).toContain("'too_many'");
  expect(left.split('\n')).toHaveLength(table.split('\n').length);
});
