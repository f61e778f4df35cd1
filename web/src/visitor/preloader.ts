/** The server-rendered preloader. Read early, because it is removed soon after the start. */
const preloader = document.getElementById('preloader');

/** Delay before the app mounts, and then before the preloader fades out. */
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

/** Copies the preloader and synchronises the spinner's animation. */
export function copyPreloader(into: Element | null): void {
  const drawn = preloader?.querySelector('.waiting');
  if (!into || !drawn) return;
  for (const part of drawn.children) into.append(part.cloneNode(true));
  // On a slow machine the animation may not have started.
  void drawn.getAnimations({ subtree: true })[0]?.ready.then(({ startTime }) => {
    for (const copy of into.getAnimations({ subtree: true })) copy.startTime = startTime;
  });
}
