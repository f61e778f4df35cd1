import { useEffect, useState } from 'react';
import { type ImageScript, loadImages } from './load.ts';

const AGAIN_MS = 5_000;

/** By then a page is at rest. */
const AHEAD_AFTER_MS = 3_000;

let here: ImageScript | undefined;

/**
 * What draws images, once it is wanted and there. It is brought ahead while there is a network: some browsers remember
 * that a script did not come, and do not ask for it again before the page is loaded anew.
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
