/** On such a device a focused field opens the keyboard. */
export const isTouch = (): boolean => matchMedia('(pointer: coarse)').matches;
