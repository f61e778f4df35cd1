// The layers of the tree, one rule each. The comment is what a person reads when the rule refuses an
// import, so it says where the code belongs instead.
import swc from '@swc/core';
import { SERVER_ROOMS } from './tools/check/serverRooms.ts';

// dependency-cruiser 17 asks swc for TypeScript without JSX, and fails on every .tsx file that has some.
const { parseFileSync } = swc;
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') });

const TESTS = String.raw`\.test\.tsx?$`;
/** Test files, and the folders that only tests import. */
const TEST_CODE = [TESTS, '^(?:protocol|server|web)/test(?:ing)?/'];
const PRODUCT = '^(?:protocol|server|web)/src/';
const SCREENS = ['visitor', 'handler', 'admin', 'landing'];
const ANY_SCREEN = `^web/src/(?:${SCREENS.join('|')})/`;
const COMPOSITION_ROOTS = String.raw`^server/src/(?:start/serve|cli|cli/[^/]+|jobs/worker)\.ts$`;

const npm = (...names) => `(?:^|/)node_modules/(?:@types/)?(?:${names.join('|')})/`;

function screenRule(screen) {
  return {
    name: `${screen}-imports-no-other-screen`,
    comment: `${screen} may not import another screen, because each is its own entry: move what both need to web/src/chat (it knows conversations), web/src/staff (it knows who is signed in) or web/src/ui (it knows nothing).`,
    severity: 'error',
    from: { path: `^web/src/${screen}/` },
    to: { path: ANY_SCREEN, pathNot: `^web/src/${screen}/` },
  };
}

const ROOMS = SERVER_ROOMS.flat();

/**
 * A folder inside a room is a room of its own: staff/signIn is no part of staff.
 * @param {string} room
 */
function roomPath(room) {
  if (room.endsWith('.ts')) return String.raw`${room.slice(0, -3)}\.ts$`;
  const inside = ROOMS.filter((other) => other.startsWith(`${room}/`)).map(
    (other) => `${other.slice(room.length + 1)}/`,
  );
  return inside.length === 0 ? `${room}/` : `${room}/(?!${inside.join('|')})`;
}

/** @param {string[]} rooms */
const anyOf = (rooms) => rooms.map(roomPath).join('|');

/**
 * @param {string[]} line
 * @param {number} at
 */
function roomRule(line, at) {
  return {
    name: 'server-rooms-import-downwards',
    comment: `${line.join(', ')} may import only lower lines of tools/check/serverRooms.ts: return the outcome, take an argument, use a port of server/src/platform/ports/ports.ts, or move the shared part down.`,
    severity: 'error',
    from: { path: `^server/src/(${anyOf(line)})`, pathNot: TEST_CODE },
    to: {
      path: `^server/src/(?:${anyOf(SERVER_ROOMS.slice(0, at + 1).flat())})`,
      pathNot: '^server/src/$1[^/]+$',
    },
  };
}

export default {
  forbidden: [
    {
      name: 'protocol-imports-valibot-only',
      comment:
        'protocol may import valibot and its own files only, because browser and server both load it: move what needs more to server or web.',
      severity: 'error',
      from: { path: '^protocol/', pathNot: TEST_CODE },
      to: { pathNot: ['^protocol/', npm('valibot')] },
    },
    {
      name: 'server-not-web',
      comment: 'server may not import web: what both need crosses the wire, so it belongs in protocol.',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^web/' },
    },
    {
      name: 'web-not-server',
      comment: 'web may not import server: what both need crosses the wire, so it belongs in protocol.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^server/' },
    },
    ...SCREENS.map(screenRule),
    {
      name: 'shared-web-imports-no-screen',
      comment:
        'chat, net, push, staff, ui and the service worker serve every screen and may not import one: let the screen pass in what differs, as a prop or an argument.',
      severity: 'error',
      from: { path: '^web/src/(?:browser|chat|net|push|staff|ui|worker)/', pathNot: TEST_CODE },
      to: { path: ANY_SCREEN },
    },
    {
      name: 'staff-is-for-staff',
      comment:
        "web/src/staff is for the consoles, and would cost the visitor's page bytes: move what both need to web/src/chat or web/src/ui.",
      severity: 'error',
      from: { path: '^web/src/(?:visitor|landing|browser|chat|net|push|ui|worker)/', pathNot: TEST_CODE },
      to: { path: '^web/src/staff/' },
    },
    {
      name: 'ui-knows-nothing',
      comment:
        'ui may import ui, style sheets and react only: a part that knows a text, a message or a call belongs in web/src/chat or in its screen.',
      severity: 'error',
      from: { path: '^web/src/ui/', pathNot: TEST_CODE },
      // What of a screen is imported is told by shared-web-imports-no-screen.
      to: { pathNot: ['^web/src/ui/', String.raw`^web/.+\.css$`, npm('react', 'react-dom'), ANY_SCREEN] },
    },
    {
      name: 'conversation-is-pure',
      comment:
        'web/src/chat/model/conversation.ts, with all that it reaches, may import protocol and plain chat/*.ts files only, because it must also run in a simulation: hand clock, ids, store and network in.',
      severity: 'error',
      from: { path: String.raw`^web/src/chat/model/conversation\.ts$` },
      to: {
        reachable: true,
        pathNot: ['^protocol/', String.raw`^web/src/chat/model/[^/]+\.ts$`, npm('valibot')],
      },
    },
    ...SERVER_ROOMS.map(roomRule),
    {
      name: 'server-folder-is-a-room',
      comment:
        'This folder is on no line, so no rule orders its imports: add it to tools/check/serverRooms.ts.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: [`^server/src/(?:${anyOf(ROOMS)})`, ...TEST_CODE] },
      to: { path: `^server/src/(?:${anyOf(ROOMS)})` },
    },
    {
      name: 'only-start-imports-routes',
      comment:
        'Only server/src/start may import a .routes.ts file: move what others need to another file of its feature.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: ['^server/src/start/', ...TEST_CODE] },
      to: { path: String.raw`\.routes\.ts$` },
    },
    {
      name: 'only-stores-have-sql',
      comment:
        "SQL lives in .store.ts files and in server/src/platform/db: put the query into the feature's store as a function and import that.",
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot: [String.raw`\.store\.ts$`, '^server/src/platform/db/', ...TEST_CODE],
      },
      to: {
        path: [npm('pg'), String.raw`^server/src/platform/db/(?:query|statementTimeout)\.ts$`],
      },
    },
    {
      name: 'only-roots-know-adapters',
      comment:
        'Only start/serve.ts, cli.ts, cli/, jobs/worker.ts and tests may import an .adapter.ts file or server/src/platform/adapters: take the port from server/src/platform/ports/ports.ts as an argument.',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot: [
          String.raw`\.adapter\.ts$`,
          '^server/src/platform/adapters/',
          COMPOSITION_ROOTS,
          ...TEST_CODE,
        ],
      },
      to: { path: [String.raw`\.adapter\.ts$`, '^server/src/platform/adapters/'] },
    },
    {
      name: 'only-the-child-decodes',
      comment:
        'Only server/src/images/child.ts, through draw.ts, may decode an image, because a stranger made it: call reencode, which starts that child.',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot: [String.raw`^server/src/images/(?:child|draw)\.ts$`, ...TEST_CODE],
      },
      to: { path: [npm('sharp'), String.raw`^server/src/images/draw\.ts$`] },
    },
    {
      name: 'product-imports-no-tests-or-tools',
      comment:
        'Product code may not import tests, test folders, bin, tools, bench or e2e: none of them is in the image. Move what both need to the product.',
      severity: 'error',
      from: { path: PRODUCT, pathNot: TEST_CODE },
      to: { path: [...TEST_CODE, '^(?:bin|tools|bench|e2e)/', npm('vitest')] },
    },
    {
      name: 'server-through-facades',
      comment:
        'e2e, bench, tools and bin import the server through server/testing (rules.ts, installation.ts, simulation.ts), so that its files can move: add the name to a facade. Only the model of the simulation, which replaces modules by path, reaches into server/src.',
      severity: 'error',
      from: { path: '^(?:e2e|bench|tools|bin)/', pathNot: '^e2e/simulation/model/' },
      to: { path: '^server/src/' },
    },
    {
      name: 'rules-load-no-engine',
      comment:
        'server/testing/rules.ts may not reach the database, because small tools load it: export the name from server/testing/installation.ts.',
      severity: 'error',
      from: { path: '^server/testing/rules\\.ts$' },
      to: { path: npm('pg', 'graphile-worker'), reachable: true },
    },
    {
      name: 'no-dev-dependency-in-product',
      comment:
        'Product code may not import a dev dependency, because an installation leaves it out: move it to dependencies, if the product needs it.',
      severity: 'error',
      from: { path: PRODUCT, pathNot: TEST_CODE },
      // Fonts and style sheets are bundled when web is built.
      to: { dependencyTypes: ['npm-dev'], pathNot: [String.raw`\.css$`, String.raw`\.woff2$`] },
    },
    {
      name: 'no-undeclared-dependency',
      comment:
        "Every package that is imported stands in the importing workspace's own package.json: add it there.",
      severity: 'error',
      from: { path: '^(?:protocol|server|web|e2e|bench|bin|tools)/' },
      // The test runner is the root's, for all.
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: ['^protocol/', npm('vitest')] },
    },
    {
      name: 'not-to-unresolvable',
      comment: 'This import leads nowhere: check the path (it carries its extension) or install the package.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-circular',
      comment:
        'These files import each other in a circle: move what both need to a third file, or hand it in as an argument.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'Nobody imports this file and it imports nobody: use it or delete it.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          ...TEST_CODE,
          String.raw`\.d\.ts$`,
          String.raw`\.config\.ts$`,
          '^(?:bin|tools|bench|e2e)/',
          COMPOSITION_ROOTS,
        ],
      },
      to: {},
    },
  ],
  options: {
    // TypeScript 7 has no compiler API: without swc this tool finds no module, and passes.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // Anchored: most packages keep their code in a folder named dist, and must not vanish with ours.
    exclude: {
      path: [
        '^web/dist/',
        '^tools/site/(?:dist|\\.vitepress)/',
        '^e2e/test-results/',
        '^e2e/playwright-report/',
      ],
    },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'module', 'browser', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json', '.d.ts'],
    },
  },
};
