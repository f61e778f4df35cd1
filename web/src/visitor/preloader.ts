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

/** Start chat had the focus in a copy that is gone. */
let focused = false;

/** Copies the preloader and synchronises the spinner's animation. From now on taps reach the copy. */
export function copyPreloader(into: Element | null) {
  const drawn = preloader?.querySelector('.waiting');
  if (!into || !preloader || !drawn) return undefined;
  const copies = [...drawn.children].map((part) => part.cloneNode(true) as Element);
  into.append(...copies);
  // On a slow machine the animation may not have started.
  void drawn.getAnimations({ subtree: true })[0]?.ready.then(({ startTime }) => {
    for (const copy of into.getAnimations({ subtree: true })) copy.startTime = startTime;
  });
  if (preloader.contains(document.activeElement)) {
    into.querySelector<HTMLElement>('.waiting-start')?.focus({ preventScroll: true });
  }
  preloader.inert = true;
  preloader.ariaHidden = 'true';
  return () => {
    focused = into.contains(document.activeElement);
    // In development, React attaches twice.
    for (const copy of copies) copy.remove();
  };
}

/** Moves the focus from the preloader's Start chat to the app's. */
export function takeFocus(button: HTMLElement | null): void {
  if (focused) button?.focus({ preventScroll: true });
  focused = false;
}
