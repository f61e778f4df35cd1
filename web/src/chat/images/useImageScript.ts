import { useEffect, useState } from 'react';
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

const RETRY_AFTER_MS = 5_000;

/** Preload delay, when the page is idle. */
const PRELOAD_AFTER_MS = 3_000;

let here: ImageScript | undefined;

/**
 * Returns the image script once it is wanted and loaded. Preloads it while online, because some browsers do not retry a
 * failed script before a reload.
 */
export function useImageScript(wanted: boolean): ImageScript | undefined {
  const [script, setScript] = useState(here);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const preload = () => {
      if (navigator.onLine) loadImages().catch(() => {});
    };
    const timer = setTimeout(preload, PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!wanted || script) return;
    let timer: ReturnType<typeof setTimeout>;
    let current = true;
    loadImages().then(
      (loaded) => {
        here = loaded;
        if (current) setScript(loaded);
      },
      (error: unknown) => {
        console.error('images:', error);
        if (current) timer = setTimeout(setTries, RETRY_AFTER_MS, tries + 1);
      },
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [wanted, script, tries]);
  return script;
}
