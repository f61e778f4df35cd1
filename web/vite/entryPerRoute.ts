import type { Plugin } from 'vite';

const entries: [RegExp, string][] = [
  [/^\/i\//, '/visitor.html'],
  [/^\/chat(\/|\?|$)/, '/visitor.html'],
  [/^\/admin(\/|\?|$)/, '/admin.html'],
  [/^\/handler(-test)?(\/|\?|$)/, '/handler.html'],
];

/** Serves the entry of each route in development, as the gateway does in production. */
export function entryPerRoute(): Plugin {
  return {
    name: 'settee-entry-per-route',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const { url = '' } = request;
        // The gateway serves the manifest, although its address is below a page's.
        const entry = url.endsWith('.webmanifest') ? undefined : entries.find(([route]) => route.test(url));
        if (entry) request.url = entry[1];
        next();
      });
    },
  };
}
