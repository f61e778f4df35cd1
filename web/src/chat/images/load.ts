import type { imageScript } from './script.ts';

/** All image code, in one lazy script. It loads when it is needed, or when the page is idle. */
export type ImageScript = typeof imageScript;

let loading: Promise<ImageScript> | undefined;

/** Retries once. A later call after a failure tries again. */
export function loadImages(): Promise<ImageScript> {
  loading ??= ask()
    .catch(ask)
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

function ask(): Promise<ImageScript> {
  return import('./script.ts').then((script) => script.imageScript);
}
