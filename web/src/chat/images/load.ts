import type { imageScript } from './script.ts';

/** Everything about images, in one script of its own: asked for once somebody has one in hand or in sight, or the page is at rest. */
export type ImageScript = typeof imageScript;

let loading: Promise<ImageScript> | undefined;

/** Asked for once more before it fails; and anew by whoever asks after a failure. */
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
