/** What the server drew, and LoadingView draws again. Read once: it leaves the page soon after the start. */
const preloader = document.getElementById('preloader');

/** How long the app waits before it mounts, and the preloader, which lies over it, after that. */
const MOUNT_AFTER_MS = 100;
const HIDE_AFTER_MS = 200;
const FADE_MS = 200;

export function mountUnderPreloader(mount: () => void): void {
  setTimeout(() => {
    mount();
    setTimeout(hide, HIDE_AFTER_MS);
  }, MOUNT_AFTER_MS);
}

function hide(): void {
  if (!preloader) return;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  preloader.dataset.leaving = '';
  const fade = preloader.animate({ opacity: 0 }, { duration: still ? 0 : FADE_MS, fill: 'forwards' });
  void fade.finished.then(() => preloader.remove());
}

/** Draws the same picture in another place, its spinner in step with the first. */
export function copyPreloader(into: Element | null): void {
  const drawn = preloader?.querySelector('.waiting');
  if (!into || !drawn) return;
  for (const part of drawn.children) into.append(part.cloneNode(true));
  // On a slow machine the first may not have begun to turn yet.
  void drawn.getAnimations({ subtree: true })[0]?.ready.then(({ startTime }) => {
    for (const copy of into.getAnimations({ subtree: true })) copy.startTime = startTime;
  });
}
