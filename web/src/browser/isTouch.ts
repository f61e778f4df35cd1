/** Focus on a field opens the keyboard. */
export const isTouch = (): boolean => matchMedia('(pointer: coarse)').matches;
