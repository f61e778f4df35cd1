type OtherPath = { path: string; methods: readonly string[]; what: string };

const get = (path: string, what: string): OtherPath => ({ path, methods: ['GET'], what });

/** What an installation serves besides the calls. A test compares it with what the server really serves. */
export const otherPaths: readonly OtherPath[] = [
  get('/', 'The landing page.'),
  get('/i/{token}', 'A visitor’s chat. The same bytes for every token; looking at it spends nothing.'),
  get('/chat', 'A visitor’s chat that this browser knows already.'),
  get('/handler', 'The console, and every address below it.'),
  get('/handler-test', 'Tells what the console depends on.'),
  get('/admin', 'The admin area, and every address below it.'),
  get('/i/{token}/manifest.webmanifest', 'Web app manifests: also /chat/… and /handler/….'),
  get('/assets/{file}', 'Scripts, styles and fonts of the pages, named by their content.'),
  get('/sw.js', 'The service worker.'),
  get('/robots.txt', 'And the icons: /favicon.svg, /favicon-unread.svg, /apple-touch-icon.png, /icon-….png.'),
  get('/brand/avatar/{id}', 'The public profile’s picture; another picture has another id.'),
  {
    path: '/media/{path}',
    methods: ['GET', 'PUT'],
    what: 'Images where there is no S3: only by an address that `beginUpload` or `readMedia` signed.',
  },
  get('/live', 'The WebSocket. Its frames are in docs/api/frames.json, its rules in docs/protocol.md.'),
];
