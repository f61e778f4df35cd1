import type { Plugin } from 'vite';

const entries: [RegExp, string][] = [
  [/^\/i\//, '/visitor.html'],
  [/^\/chat(\/|\?|$)/, '/visitor.html'],
  [/^\/admin(\/|\?|$)/, '/admin.html'],
  [/^\/handler(-test)?(\/|\?|$)/, '/handler.html'],
];

/** In production the gateway serves the entry of each route; in development this does. */
export function entryPerRoute(): Plugin {
  return {
    name: 'settee-entry-per-route',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const { url = '' } = request;
        // The gateway's, though under a page's address.
        const entry = url.endsWith('.webmanifest') ? undefined : entries.find(([route]) => route.test(url));
        if (entry) request.url = entry[1];
        next();
      });
    },
  };
}
