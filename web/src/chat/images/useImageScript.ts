import { useEffect, useState } from 'react';
import { type ImageScript, loadImages } from './load.ts';

const AGAIN_MS = 5_000;

/** Preload delay, when the page is idle. */
const AHEAD_AFTER_MS = 3_000;

let here: ImageScript | undefined;

/**
 * Returns the image script once it is wanted and loaded. Preloads it while online, because some browsers do not retry a
 * failed script before a reload.
 */
export function useImageScript(wanted: boolean): ImageScript | undefined {
  const [script, setScript] = useState(here);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const ahead = () => {
      if (navigator.onLine) loadImages().catch(() => {});
    };
    const timer = setTimeout(ahead, AHEAD_AFTER_MS);
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
        if (current) timer = setTimeout(setTries, AGAIN_MS, tries + 1);
      },
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [wanted, script, tries]);
  return script;
}
