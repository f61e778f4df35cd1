const KEY_MAX = 512;
const WORD = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/**
 * Refuses a path that a file system or an address would read otherwise than it is written: no `..`, no
 * escape, nothing hidden. The paths are made by us, so one that fails here is a mistake or an attack.
 */
export function mediaKey(path: string): string {
  if (!isMediaKey(path)) throw new Error('not a path for media');
  return path;
}

export function isMediaKey(path: string): boolean {
  return path.length <= KEY_MAX && path.split('/').every((word) => WORD.test(word));
}
