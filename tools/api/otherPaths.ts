type OtherPath = { path: string; methods: readonly string[]; what: string };

const get = (path: string, what: string): OtherPath => ({ path, methods: ['GET'], what });

/** Addresses that are not calls. A test compares the list with the routes of the server. */
export const otherPaths: readonly OtherPath[] = [
  get('/', 'The landing page.'),
  get(
    '/i/{token}',
    'A visitor’s chat. The page is the same for every token; opening it does not use the invite.',
  ),
  get('/chat', 'The chat that this browser has already opened.'),
  get('/handler', 'The console, and every address below it.'),
  get('/handler-test', 'Checks what the console needs from the browser.'),
  get('/admin', 'The admin area, and every address below it.'),
  get('/auth/staff/sso', 'Leads a browser to the provider for single sign-on, if there is one.'),
  get(
    '/auth/staff/sso/callback',
    'The way back from the provider. Opens a session and leads to the console.',
  ),
  get('/i/{token}/manifest.webmanifest', 'Web app manifests: also /chat/… and /handler/….'),
  get('/assets/{file}', 'Scripts, styles and fonts of the pages, named by their content.'),
  get('/sw.js', 'The service worker.'),
  get('/robots.txt', 'And the icons: /favicon.svg, /favicon-unread.svg, /apple-touch-icon.png, /icon-….png.'),
  get('/brand/avatar/{id}', 'The avatar of the public profile. A new avatar has a new id.'),
  {
    path: '/mail/off/{token}',
    methods: ['GET', 'POST'],
    what: 'Ends the mails to a visitor (RFC 8058). GET shows a page with a button. The token is in the mail.',
  },
  {
    path: '/media/{path}',
    methods: ['GET', 'PUT'],
    what: 'Images, if the installation has no S3. Needs an address that `beginUpload` or `readMedia` signed.',
  },
  get('/live', 'The WebSocket: see docs/protocol.md.'),
];
